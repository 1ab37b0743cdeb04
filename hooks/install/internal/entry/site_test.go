package entry

import "testing"

func TestCovers(t *testing.T) {
	for matcher, want := range map[string]bool{"": true, "*": true, Reading: true, Touching: true, "Edit": false, "Edit|Write": false} {
		if covers(matcher, Reading) != want {
			t.Errorf("%q is for files that are read: %v", matcher, !want)
		}
	}
	if !covers("auto|manual", AutoCompaction) || covers(Reading, Touching) || covers(Reading, "") {
		t.Error("a matcher is for more than it is for")
	}
}
