// Package cli is the command line: one file a command. It is the only place
// that knows streams, the clock, the environment and exit codes.
package cli

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/git-sage/git-sage/recall"
)

// app is the world as the commands see it.
type app struct {
	in       io.Reader
	out, err io.Writer
	dir      string   // working directory
	env      []string // in the form of os.Environ
	now      func() time.Time
	isTTY    bool // standard output is a terminal
	global   bool // --global: the user's own store
	json     bool // --json
	session  string
}

// open opens the memory of the repository, or of the user with --global.
func (a *app) open(ctx context.Context) (*recall.Memory, error) { panic("being built") }

// Main runs git-sage and returns its exit status.
func Main(args []string) int {
	_ = os.Args
	return 0
}
