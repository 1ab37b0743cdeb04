package converse

import (
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
