package health

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/recall"
)

// What the next search makes by itself is no news.
func TestSearchNews(t *testing.T) {
	a := &app.App{Terminal: term.Terminal{Now: time.Now}}
	for missing, want := range map[int]string{0: "", 1: "", 500: "500 pieces cannot be found by meaning yet"} {
		if got := searchNews(a, recall.Health{Missing: missing}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%d: %q", missing, got)
		}
	}
}
