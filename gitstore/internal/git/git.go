// Package git runs the git program, and nothing else runs it.
//
// Every call has an absolute program path, an argument list that no shell sees,
// a scrubbed environment, a fixed set of -c options that keep a hostile
// repository from naming programs, and a deadline after which the whole process
// group is ended.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Timeout bounds a call whose context has no deadline of its own.
const Timeout = 60 * time.Second

// A Runner runs git in one folder.
type Runner struct {
	path string
	dir  string
	env  []string
	bare bool
	more []string     // further settings, behind those of every call
	why  func() error // see Watch; may be nil
	all  *calls       // see Together; may be nil
	asks bool         // see Asking
}

// ErrNoGit says that there is no git on PATH.
var ErrNoGit = errors.New("git is not installed, or not on PATH")

// New returns a Runner for dir with the environment env, of which only what
// is harmless is passed on. A guest runs on behalf of somebody else's process,
// a hook or a server: GIT_DIR and its kin are dropped as well.
func New(dir string, env []string, guest bool) (*Runner, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	return &Runner{path: path, dir: dir, env: clean(env, guest)}, nil
}

// find looks for git on PATH. A program in the folder where one happens to stand
// is a stranger's, so entries that are not absolute are passed by. For 'git sage', git
// puts the folder of its own programs first, often with a copy of itself: then it is the
// git behind it, by whose path 'git-sage' knows it, too.
func find() (string, error) {
	inner := "" // git in the folder of its own programs
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, "git"))
		switch {
		case err != nil || path == inner:
		case inner == "" && dir == os.Getenv("GIT_EXEC_PATH"):
			inner = path
		case inner == "" || isCopy(path, inner):
			return path, nil
		default:
			return inner, nil // another git, not that which runs this
		}
	}
	if inner == "" {
		return "", ErrNoGit
	}
	return inner, nil
}

// isCopy reports whether two programs are one, by two names or installed twice.
func isCopy(a, b string) bool {
	one, err := fsx.Stat(a)
	if err != nil {
		return false
	}
	other, err := fsx.Stat(b)
	return err == nil && (os.SameFile(one, other) || one.Size() == other.Size() && one.ModTime().Equal(other.ModTime()))
}

// ErrOld says that this git lacks what is asked of it.
var ErrOld = errors.New("this git is too old: git-sage needs 2.31 or newer")

// Bare returns a Runner that also accepts a bare repository found by walking
// up from its folder. By default one is refused, because a bare repository
// that lies inside a work tree came with a clone and its config is a stranger's.
func (r *Runner) Bare() *Runner {
	b := *r
	b.bare = true
	return &b
}

// In returns a Runner for another folder.
func (r *Runner) In(dir string) *Runner {
	b := *r
	b.dir = dir
	return &b
}

// Env returns the environment that git gets.
func (r *Runner) Env() []string { return r.env }

// Path returns the path of the git program.
func (r *Runner) Path() string { return r.path }

// Dir returns the folder that git runs in.
func (r *Runner) Dir() string { return r.dir }

// An Error is a git that ended with a status other than 0.
type Error struct {
	Command string // the subcommand
	Code    int    // exit status; -1 when it was killed
	Stderr  string
	how     string // in which way it ended, as the system says it: "signal: killed"
}

func (e *Error) Error() string {
	if m := lastLine(e.Stderr); m != "" {
		return fmt.Sprintf("git %s: %s", e.Command, m)
	}
	if e.Code < 0 {
		return fmt.Sprintf("git %s: killed (%s)", e.Command, e.how)
	}
	return fmt.Sprintf("git %s: exit status %d", e.Command, e.Code)
}

// Killed reports whether git was ended by a signal before it said why.
func (e *Error) Killed() bool { return e.Code < 0 && lastLine(e.Stderr) == "" }

// lastLine returns the line that says what went wrong: the first that git
// marks as fatal or error, with what it lists behind a colon, else the last.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		for _, p := range []string{"fatal: ", "error: "} {
			if t, ok := strings.CutPrefix(l, p); ok {
				return t + listed(t, lines[i+1:])
			}
		}
	}
	return lines[len(lines)-1]
}

// listed is what stands indented behind a line that ends in a colon.
func listed(line string, rest []string) (out string) {
	for _, l := range rest {
		if !strings.HasSuffix(line, ":") || !strings.HasPrefix(l, "\t") {
			break
		}
		out += " " + strings.TrimSpace(l)
	}
	return out
}

// Run runs git with args and returns what it wrote to standard output, also
// beside an error.
func (r *Runner) Run(ctx context.Context, args ...string) ([]byte, error) {
	return r.Feed(ctx, nil, args...)
}

// Feed is Run with something on standard input.
func (r *Runner) Feed(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	cmd := r.command(ctx, args...)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	return out.Bytes(), explain(ctx, args, err, errs.String())
}

// With returns a Runner with more variables in its environment.
func (r *Runner) With(env ...string) *Runner {
	b := *r
	b.env = append(b.env[:len(b.env):len(b.env)], env...)
	return &b
}

// Unset returns a Runner for which settings are empty, whatever a configuration says.
func (r *Runner) Unset(keys ...string) *Runner {
	b := *r.With(nothing + "=")
	b.more = slices.Clone(b.more)
	for _, key := range keys { // -c would end a name at its first =
		b.more = append(b.more, "--config-env="+key+"="+nothing)
	}
	return &b
}

// nothing is a variable that is empty.
const nothing = "SAGE_NOTHING"

// safe are the options of every call, from reliability tests of which
// commands run what a hostile config names. A mailmap would make --author search
// for other names than are shown, and git wait for a pipe of that name. Without
// core.warnAmbiguousRefs=false a compare-and-swap of git's own can pass on a
// stale value.
var safe = []string{
	"-c", "color.ui=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "log.showSignature=false", "-c", "log.mailmap=false",
	"-c", "diff.external=", "-c", "protocol.allow=never",
	"-c", "core.warnAmbiguousRefs=false", "-c", "i18n.commitEncoding=UTF-8", "-c", "i18n.logOutputEncoding=UTF-8",
}

// OwnConfig is how many settings every call adds by -c. In a list of the
// configuration they come last.
func (r *Runner) OwnConfig() int {
	if r.bare {
		return len(safe) / 2
	}
	return len(safe)/2 + 1
}

func (r *Runner) command(ctx context.Context, args ...string) *exec.Cmd {
	all := slices.Concat([]string{"--no-pager"}, safe, r.more)
	if !r.bare {
		all = append(all, "-c", "safe.bareRepository=explicit")
	}
	cmd := exec.CommandContext(ctx, r.path, append(all, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.env
	if !r.asks {
		ownGroup(cmd)
	}
	kill := cmd.Cancel
	cmd.Cancel = func() error {
		defer told(ctx)
		return kill()
	}
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

func explain(ctx context.Context, args []string, err error, stderr string) error {
	if err == nil {
		return nil
	}
	name := subcommand(args)
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("git %s: %w", name, cause)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err := &Error{Command: name, Code: exit.ExitCode(), Stderr: stderr, how: exit.Error()}
		if lacks(stderr) {
			return fmt.Errorf("%w (%w)", ErrOld, err)
		}
		return err
	}
	return fmt.Errorf("git %s: %w", name, err)
}

func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" || args[i] == "-C" {
			i++
			continue
		}
		return args[i]
	}
	return ""
}
