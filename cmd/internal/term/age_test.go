package term

import (
	"testing"
	"time"
)

// The words and the rounding are those of git 2.39.
func TestAge(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	for d, want := range map[time.Duration]string{
		-12 * hour:                   "at a time that has not come yet (2026-11-22)",
		-time.Second:                 "at a time that has not come yet (12:00:01 +0000)",
		0:                            "0 seconds ago",
		time.Second:                  "1 second ago",
		89 * time.Second:             "89 seconds ago",
		90 * time.Second:             "2 minutes ago",
		60 * time.Minute:             "60 minutes ago",
		89*time.Minute + time.Second: "89 minutes ago",
		90 * time.Minute:             "2 hours ago",
		35 * hour:                    "35 hours ago",
		36 * hour:                    "2 days ago",
		13 * day:                     "13 days ago",
		14 * day:                     "2 weeks ago",
		69 * day:                     "10 weeks ago",
		70 * day:                     "2 months ago",
		364 * day:                    "12 months ago",
		365 * day:                    "1 year ago",
		500 * day:                    "1 year, 4 months ago",
		730 * day:                    "2 years ago",
		1825 * day:                   "5 years ago",
	} {
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		if got := Age(now, now.Add(-d)); got != want {
			t.Errorf("age of %v = %q, want %q", d, got, want)
		}
		if d < 0 {
			want = "in the future"
		}
		if got := gitAge(now, now.Add(-d)); got != want {
			t.Errorf("age of %v in git's words = %q, want %q", d, got, want)
		}
	}
}
