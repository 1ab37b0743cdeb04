//go:build unix

package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Case F78: where a pipe or an endless device stands in for one of git's files,
// a call ends by itself and names it, where git alone would wait for ever. The
// test has no clock of its own: a call that hung would outlast it.
func TestPipesAreNamed(t *testing.T) {
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o666) }
	zero := func(path string) error { return os.Symlink("/dev/zero", path) }
	for _, tt := range []struct {
		name, file string
		plant      func(path string) error
		config     string // in .git/config; PIPE is the path of the file
	}{
		{name: "config", file: "r/.git/config", plant: pipe},
		{name: "endless config", file: "r/.git/config", plant: zero},
		{name: "HEAD", file: "r/.git/HEAD", plant: pipe},
		{name: "alternates", file: "r/.git/objects/info/alternates", plant: pipe},
		{name: "shallow", file: "r/.git/shallow", plant: pipe},
		{name: "commit-graph", file: "r/.git/objects/info/commit-graph", plant: pipe},
		{name: "log of a ref", file: "r/.git/logs/refs/sage/heads/main", plant: pipe},
		{name: "ref", file: "r/.git/refs/sage/heads/main", plant: pipe},
		{name: "include", file: "pipe", plant: pipe, config: "[include]\n\tpath = PIPE\n"},
		{name: "includeIf", file: "pipe", plant: pipe, config: "[includeIf \"gitdir:**\"] path = \"PIPE\"\n"},
		{name: "include of a device", file: "pipe", plant: zero, config: "[Include]\n\tPath=PIPE\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			save(t, open(t, w, "r"), "first")
			path := w.Path(tt.file)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := tt.plant(path); err != nil {
				t.Fatal(err)
			}
			if tt.config != "" {
				b, err := os.ReadFile(w.Path("r/.git/config"))
				if err != nil {
					t.Fatal(err)
				}
				w.Write("r/.git/config", string(b)+strings.ReplaceAll(tt.config, "PIPE", path))
			}
			err := saveAnd(w)
			left := atWork(t, w)
			for began := time.Now(); left != "" && time.Since(began) < 10*time.Second; { // it was told, and takes its time
				left = atWork(t, w)
			}
			if left != "" {
				t.Errorf("left behind: %s", left)
			}
			named := err != nil && (strings.Contains(err.Error(), "'"+path+"' is a ") || strings.Contains(err.Error(), "bad config line 1 in file "))
			if !named || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// atWork are the programs that still run somewhere in w.
func atWork(t *testing.T, w *storetest.World) (list string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		at, err := os.Readlink(d)
		state, _ := os.ReadFile(filepath.Join(filepath.Dir(d), "stat"))
		if dead := strings.Contains(string(state), ") Z ") || strings.Contains(string(state), ") X "); err == nil && !dead && strings.HasPrefix(at, w.Dir) {
			b, _ := os.ReadFile(filepath.Join(filepath.Dir(d), "cmdline"))
			list += strings.ReplaceAll(string(b), "\x00", " ") + "\n"
		}
	}
	return list
}

// saveAnd saves and lists, and returns what went wrong first.
func saveAnd(w *storetest.World) error {
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env, Writing: true})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Checkpoints.Save(ctx, thesis("second")); err != nil {
		return err
	}
	_, err = s.Commits.Log(ctx, gitstore.Query{})
	return err
}

// An include of nothing, or of a plain file, is nothing to wait for.
func TestNullIsNoPipe(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "include.path", os.DevNull)
	if err := saveAnd(w); err != nil {
		t.Error(err)
	}
}
