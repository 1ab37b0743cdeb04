package contents

import "testing"

// Git moves the two refs of a change one after the other: whoever reads or kills it in between finds
// an item that moves in both, and not in none.
func TestHalvesFirstGain(t *testing.T) {
	gone := []byte(nil)
	for name, c := range map[string]struct {
		files        map[string][]byte
		privateFirst bool
	}{
		"made private":                        {map[string][]byte{"a": gone, "private/a": {1}}, true},
		"let leave":                           {map[string][]byte{"a": {1}, "private/a": gone}, false},
		"made private beside an edit":         {map[string][]byte{"a": gone, "private/a": {1}, "b": {1}}, true},
		"let leave beside an edit of another": {map[string][]byte{"a": {1}, "private/a": gone, "private/b": {1}}, false},
		"let leave beside the mark of another": {
			map[string][]byte{"a": {1}, "private/a": gone, "private/b": gone, "private/purged/x": {1}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			halves := TreeChange{Files: c.files}.halves()
			if len(halves) != 2 || halves[0].hasPrivate() != c.privateFirst || halves[0].hasPrivate() == halves[1].hasPrivate() {
				t.Errorf("%v", halves)
			}
		})
	}
}
