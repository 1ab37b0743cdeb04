package templates

import "testing"

func TestBriefLimits(t *testing.T) {
	for _, c := range []struct {
		o    BriefOptions
		want int
	}{
		{BriefOptions{}, 0},
		{BriefOptions{MaxTokens: 10}, 40},
		{BriefOptions{Summary: true}, 4 * SummaryTokens},
		{BriefOptions{Summary: true, MaxTokens: 10}, 40},
		{BriefOptions{MaxTokens: 10, MaxChars: 30}, 30},
		{BriefOptions{MaxTokens: 10, MaxChars: 300}, 40},
		{BriefOptions{MaxChars: 30}, 30},
	} {
		if got := c.o.limit(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.o, got, c.want)
		}
	}
}
