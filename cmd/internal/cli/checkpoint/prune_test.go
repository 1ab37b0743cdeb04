package checkpoint

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"36h": 36 * time.Hour, "30d": 30 * day, "12w": 84 * day, "90 days": 90 * day, "1 day": day,
		"6 Months": 180 * day, "2.weeks.ago": 14 * day, "1y": 365 * day, "3 years": 3 * 365 * day,
	} {
		if got, err := parseAge(in); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "30", "d", "-3d", "0d", "3x", "1m", "999999y", "1e3d", "3d4h"} {
		if got, err := parseAge(in); err == nil {
			t.Errorf("%q is taken for %v", in, got)
		}
	}
}
