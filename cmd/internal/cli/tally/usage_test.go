package tally

import (
	"testing"

	"github.com/git-sage/git-sage/hooks/tally"
)

// A bar is a day, or as many as fit, and days without anything have none.
func TestSparkline(t *testing.T) {
	day := func(key string, tokens int) tally.Row {
		return tally.Row{Key: key, Tokens: tally.Tokens{Input: tokens}}
	}
	for _, tt := range []struct {
		days []tally.Row
		want string
	}{
		{nil, ""},
		{[]tally.Row{day("2026-11-01", 5)}, ""},
		{[]tally.Row{day("", 9), day("2026-11-01", 5)}, ""},
		{[]tally.Row{day("", 9), day("2026-11-01", 8), day("2026-11-02", 1), day("2026-11-04", 4)}, "2026-11-01 █▁ ▄ 2026-11-04"},
		{[]tally.Row{day("2026-11-01", 4), day("2026-11-02", 4), day("2026-11-09", 4), day("2026-11-11", 1)}, "2026-11-01 █ ▄▁ 2026-11-11 (a bar is 3 days)"},
	} {
		if got := sparkline(tt.days, 4); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.days, got, tt.want)
		}
	}
}
