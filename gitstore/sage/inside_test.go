package sage

import "testing"

func TestRefsInsideLeavesTheListAlone(t *testing.T) {
	refs := []CodeRef{{File: "a"}, {File: "../b"}, {File: "c"}}
	if got := RefsInside(refs); len(got) != 2 || got[1].File != "c" || refs[1].File != "../b" {
		t.Errorf("%v of %v", got, refs)
	}
}
