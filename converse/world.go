package converse

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/internal/environ"
)

// World is what a model is asked in.
type World struct {
	Env  []string // in the form of os.Environ
	Home string   // the user-wide folder
	Now  func() time.Time
}

// Getenv is the value of an environment variable, "" if it is not set.
func (w World) Getenv(name string) string { return environ.Get(w.Env, name) }

// wait waits, unless ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
