package item

import "testing"

// A cut id is that of one item alone, and what is short enough stays as it is.
func TestShortIDs(t *testing.T) {
	all := []string{"build-needs-go", "staging-database-emptied-every-monday", "staging-database-emptied-every-sunday", "tokens-rotate-hourly"}
	short := ShortIDs(all, 16)
	for id, want := range map[string]string{
		"build-needs-go": "build-needs-go", "tokens-rotate-hourly": "tokens-rotate-h…",
		"staging-database-emptied-every-monday":        "staging-database-emptied-every-m…",
		"staging-database-emptied-every-sunday":        "staging-database-emptied-every-s…",
		"cmd/main.go-which-is-the-path-of-a-core-file": "cmd/main.go-which-is-the-path-of-a-core-file",
	} {
		if got := short(id); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
	if got := ShortIDs([]string{"abc", "abcd"}, 3)("abcd"); got != "abcd" {
		t.Errorf("nothing is left to cut: %s", got)
	}
}
