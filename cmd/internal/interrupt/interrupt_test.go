package interrupt

import "testing"

// The first Ctrl-C is taken, the second is not, and none behind a release.
func TestTake(t *testing.T) {
	n := 0
	release := On(func() { n++ })
	if !Take() || Take() || n != 1 {
		t.Errorf("taken %d times", n)
	}
	release()
	On(func() { n++ })()
	if Take() || n != 1 {
		t.Error("taken behind the release")
	}
}
