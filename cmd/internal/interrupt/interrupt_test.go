package interrupt

import (
	"testing"
	"time"
)

// The first Ctrl-C is taken, also where git passes it on, the second is not, and none behind a
// release.
func TestTake(t *testing.T) {
	n, at := 0, time.Now()
	release := On(func() { n++ })
	if !Take(at) || !Take(at.Add(echo-1)) || Take(at.Add(echo)) || n != 1 {
		t.Errorf("taken %d times", n)
	}
	release()
	On(func() { n++ })()
	if Take(at.Add(echo)) || n != 1 {
		t.Error("taken behind the release")
	}
}
