package hooks

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// late says its text after a while, and then nothing more, without an end.
func late(after time.Duration, text string) io.Reader {
	r, w := io.Pipe()
	go func() {
		time.Sleep(after)
		_, _ = io.WriteString(w, text)
	}()
	return r
}

// The wait for what the client says is part of the time that an event has, and no more is
// waited for: a client that says it late is answered, and one that says nothing is not
// waited for longer than any other event takes.
func TestInputThatComesLate(t *testing.T) {
	const says = `{"session_id":"s","source":"startup"}`
	for _, c := range []struct {
		name  string
		after time.Duration
		asked bool
		ends  time.Duration
	}{
		{"at once", 0, true, 0},
		{"after 0.7 s", 700 * time.Millisecond, true, 700 * time.Millisecond},
		{"after 1.7 s", 1700 * time.Millisecond, true, 1700 * time.Millisecond},
		{"too late", 1900 * time.Millisecond, false, 1800 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				asked, began := "", time.Now()
				o := Options{In: late(c.after, says), Out: io.Discard, Home: home, Dir: home, Open: func(_ context.Context, _, session string) (*recall.Memory, error) {
					asked = session
					return nil, gitstore.ErrNotRepository
				}}
				if status := Run(t.Context(), o, SessionStart); status != 0 {
					t.Errorf("status %d", status)
				}
				if took := time.Since(began); took != c.ends || (asked == "s") != c.asked {
					t.Errorf("it took %s and asked for %q", took, asked)
				}
				time.Sleep(c.after) // else who says it is left behind
			})
			log, _ := os.ReadFile(filepath.Join(home, "hooks.log"))
			if said := strings.Contains(string(log), "the client said nothing"); said == c.asked {
				t.Errorf("log: %q", log)
			}
		})
	}
}
