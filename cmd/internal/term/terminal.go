package term

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	xterm "golang.org/x/term"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/environ"
)

// A Terminal is where a command runs: its streams, folder, environment and clock, and how
// its output is to look. A pipe is one, too: it is shown all, in a form that programs read.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
	Dir      string   // working directory; see Path for file arguments
	Env      []string // in the form of os.Environ
	Now      func() time.Time

	TTY    bool // standard output is a terminal
	ErrTTY bool // standard error is
	Width  int  // columns of that terminal; 0 is unknown

	JSON    bool   // --json
	Color   string // --color: auto, always or never; "" is for configuration to say
	Date    string // --date: how log writes dates; "" is for configuration to say
	NoPager bool

	TypedDir   string // the -C options as they were typed, with a space behind; see Typed
	TypedStore string // so --global and --session

	Git Config // nil is a git without configuration

	Acted  string // what a command changed, for whom the output cannot tell it
	Failed error  // of printing what Print prints

	hinted []string // what HintOnce said
}

// Config is git's configuration, as far as it says how output is to look.
type Config interface {
	// Config is the value of a key, and the scope that sets it.
	Config(key string) (value, scope string, ok bool)
	// UserConfig is the value of a key that names a program; ok is false where the
	// repository alone sets it.
	UserConfig(key string) (value string, ok bool)
}

// System is the terminal of this process.
func System() *Terminal {
	t := &Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Now: time.Now}
	t.Dir, _ = os.Getwd()
	t.TTY, t.Width = columns(os.Stdout)
	t.ErrTTY, _ = columns(os.Stderr)
	return t
}

// columns says whether f is a terminal, and how many columns it has.
func columns(f *os.File) (bool, int) {
	fd := int(f.Fd())
	if !xterm.IsTerminal(fd) {
		return false, 0
	}
	w, _, err := xterm.GetSize(fd)
	if err != nil {
		w = 80
	}
	return true, w
}

// Getenv is the value of an environment variable, "" if it is not set. The last of several
// counts, as in os/exec.
func (t *Terminal) Getenv(name string) string {
	return environ.Get(t.Env, name)
}

// Path makes a file argument absolute or relative to the process, so that -C
// holds for it too.
func (t *Terminal) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.Dir, name)
}

// HomeFolder is the user's, "" if nobody knows it.
func (t *Terminal) HomeFolder() string { return environ.Home(t.Env) }

// Homely is a path as people write it, with ~ for their home folder.
func (t *Terminal) Homely(path string) string {
	home := t.HomeFolder()
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// Visible makes what cannot be seen visible, on one line: text may come from a
// stranger's repository.
func Visible(s string) string { return legible.OneLine(s) }

// VisibleLines is Visible for text that may have several lines.
func VisibleLines(s string) string { return legible.Visible(s) }
