package legible

import (
	"testing"
	"time"
)

func TestLasted(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", 600 * time.Millisecond: "1 second", 89 * time.Second: "89 seconds", 90 * time.Second: "2 minutes",
		70 * time.Minute: "70 minutes", 2*time.Hour + 9*time.Second: "2 hours", 35 * time.Hour: "35 hours",
		48 * time.Hour: "2 days", 8760 * time.Hour: "365 days",
	} {
		if got := Lasted(d); got != want {
			t.Errorf("%v: %q, not %q", d, got, want)
		}
	}
}
