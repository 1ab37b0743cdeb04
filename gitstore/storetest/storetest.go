// Package storetest makes real git repositories to test against: with a clock
// and an identity that never change, and nothing of the tester's own config.
package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Epoch is when the clock of a test stands.
var Epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Clock returns a clock that starts at Epoch and moves on a second each time it
// is read, by several at once as well.
func Clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return Epoch.Add(time.Duration(n.Add(1)) * time.Second) }
}

// TempDir is t.TempDir for a test that leaves a process behind, as a server does that saved:
// what that writes while the folder is removed is removed with the next try.
func TempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		for range 100 {
			if os.RemoveAll(dir) == nil {
				return
			}
		}
	})
	return dir
}

// A World is a folder with a HOME of its own.
type World struct {
	t    testing.TB
	Dir  string
	Home string
	Env  []string
	git  string // the real one, whatever comes first on PATH later
}

// New returns an empty world in a temporary folder.
func New(t testing.TB) *World {
	t.Helper()
	dir, err := filepath.EvalSymlinks(TempDir(t))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{t: t, Dir: dir, Home: filepath.Join(dir, "home"), git: realGit(t)}
	w.Env = append(Env(w.Home), "GIT_AUTHOR_DATE=@1767323045 +0000", "GIT_COMMITTER_DATE=@1767323045 +0000", "TZ=UTC")
	w.Write("home/.gitconfig", "[user]\n\tname = Ann Author\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	return w
}

// Env is the environment of a user with that home, in which nothing is left of the
// tester's own: not the home, not what git, an agent or this program go by.
// testdata/trap.sh makes all of that a trap, in which `make test` runs.
func Env(home string) []string {
	return append(slices.DeleteFunc(os.Environ(), testers),
		"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1")
}

func testers(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	for _, prefix := range []string{"GIT_", "SAGE_", "CLAUDE", "ANTHROPIC_", "XDG_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"HOME", "USERPROFILE", "CI", "EMAIL", "EDITOR", "VISUAL", "PAGER", "CODEX_HOME"}, name)
}

// Path is a path in the world.
func (w *World) Path(elem ...string) string {
	return filepath.Join(append([]string{w.Dir}, elem...)...)
}

// Write writes a file of the world, its folders included.
func (w *World) Write(name, content string) {
	w.t.Helper()
	p := w.Path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

// Git runs git in a folder of the world and returns its output. Any failure
// ends the test.
func (w *World) Git(dir string, args ...string) string {
	w.t.Helper()
	out, err := w.TryGit(dir, args...)
	if err != nil {
		w.t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return strings.TrimRight(out, "\n")
}

// TryGit is Git for what may fail.
func (w *World) TryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command(w.git, args...)
	cmd.Dir, cmd.Env = w.Path(dir), w.Env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Repo makes a repository with one commit on main, and returns its folder.
func (w *World) Repo(name string, init ...string) string {
	w.t.Helper()
	w.Git("", append(append([]string{"init", "-q"}, init...), name)...)
	w.Write(name+"/a.txt", "one\n")
	w.Git(name, "add", "a.txt")
	w.Git(name, "commit", "-q", "-m", "first")
	return w.Path(name)
}
