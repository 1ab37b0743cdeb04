package brief

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour:       "at a time that has not come yet",
		-5 * time.Minute: "just now",
		0:                "just now",
		time.Minute:      "1 minute ago",
		50 * time.Hour:   "2 days ago",
	} {
		if got := Age(d); got != want {
			t.Errorf("age of %v = %q, want %q", d, got, want)
		}
	}
}
