package converse

import (
	"testing"
	"time"
)

func TestResets(t *testing.T) {
	for said, want := range map[string]time.Duration{ // at 12:00 UTC
		"resets 4:40pm (UTC)":       4*time.Hour + 41*time.Minute,
		"resets 11am (UTC)":         23*time.Hour + time.Minute,
		"resets 12am":               12*time.Hour + time.Minute,
		"resets 1pm (Nowhere/Land)": time.Hour + time.Minute,
		"resets soon":               0,
	} {
		if got := resetIn(said, time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}
