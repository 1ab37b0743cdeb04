package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// asRoot skips what only root can arrange.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
}

// clearly fails unless err is one line that says what.
func clearly(t *testing.T, err error, what ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one of %q", what)
		return
	}
	text := err.Error()
	if strings.Contains(text, "\n") || strings.Contains(text, "goroutine") {
		t.Errorf("not one line: %q", text)
	}
	for _, w := range what {
		if strings.Contains(text, w) {
			return
		}
	}
	t.Errorf("%q says none of %q", text, what)
}

// intact fails unless the line is where it was, everything on it can be read, and
// git has nothing to say.
func intact(t *testing.T, w *storetest.World, ids []string) {
	t.Helper()
	s := open(t, w, "r")
	recs, err := s.Commits.Log(ctx, gitstore.Query{})
	if err != nil || len(recs) != len(ids) {
		t.Fatalf("%d listed, want %d: %v", len(recs), len(ids), err)
	}
	for i, r := range recs {
		if want := ids[len(ids)-1-i]; r.ID != want {
			t.Errorf("%d is %s, want %s", i, r.ID, want)
		}
		if _, err := s.Commits.Load(ctx, r.ID); err != nil {
			t.Error(err)
		}
	}
	w.Git("r", "fsck", "--full", "--no-dangling")
	_ = filepath.WalkDir(w.Path("r/.git"), func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".lock") && filepath.Base(filepath.Dir(p)) != "sage" {
			t.Errorf("left: %s", p)
		}
		return err
	})
}

// Cases B18 and B19: a disk without room, or without inodes. A save fails in one
// line, what was acknowledged is there and can be read, and once there is room it
// goes on.
func TestNoRoom(t *testing.T) {
	asRoot(t)
	for name, c := range map[string]struct {
		mount string
		fill  func(dir string, i int) error
		again string
	}{
		"bytes": {"size=3m", func(dir string, i int) error {
			return os.WriteFile(filepath.Join(dir, fmt.Sprint("fill", i)), make([]byte, 32<<10), 0o666)
		}, ""},
		"inodes": {"size=64m,nr_inodes=300", func(dir string, i int) error {
			return os.WriteFile(filepath.Join(dir, fmt.Sprint("fill", i)), nil, 0o666)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			if err := syscall.Mount("none", w.Dir, "tmpfs", 0, c.mount); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(w.Dir, syscall.MNT_DETACH) })
			w.Write("home/.gitconfig", "[user]\n\tname = Ann Author\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n")
			w.Repo("r")
			ids := []string{save(t, open(t, w, "r"), "one").ID}
			n := 0
			for ; n < 1000; n++ {
				if err := c.fill(w.Dir, n); err != nil {
					break
				}
			}
			if n == 0 || n == 1000 {
				t.Fatalf("filled with %d files", n)
			}
			failed := 0
			for i := range 12 { // each may find room where another left some
				got, err := open(t, w, "r").Checkpoints.Save(ctx, thesis(strings.Repeat(fmt.Sprint("long thought ", i), 2000)))
				if err != nil {
					failed++
					clearly(t, err, "no space left on device", "cannot")
					continue
				}
				ids = append(ids, got.ID)
			}
			if failed == 0 {
				t.Error("nothing failed")
			}
			intact(t, w, ids)
			for i := range n {
				_ = os.Remove(filepath.Join(w.Dir, fmt.Sprint("fill", i)))
			}
			ids = append(ids, save(t, open(t, w, "r"), "there is room").ID)
			intact(t, w, ids)
		})
	}
}

// limited lets a process save once under a shell's limit, and returns what it said.
func limited(t *testing.T, w *storetest.World, limit string, env ...string) (id string, err error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", limit+" && exec "+exe)
	cmd.Dir = w.Path("r")
	cmd.Env = append(append([]string{}, w.Env...), append(env, "STORETEST_NAME=p", "STORETEST_SAVES=1", "STORETEST_LINE=main")...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = errors.New(strings.TrimSpace(oursOf(errs.String()) + " " + err.Error()))
	}
	return strings.TrimSpace(string(out)), err
}

// oursOf is what a process of this test binary said, without what Go says of it at
// its end where coverage is measured and its figures cannot be written.
func oursOf(out string) string {
	lines := slices.DeleteFunc(strings.Split(out, "\n"), func(l string) bool { return strings.HasPrefix(l, "error: coverage ") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Cases B22 and B23: the limits that a shell sets. A save either succeeds or fails
// in one line, and nothing acknowledged is lost.
func TestShellLimits(t *testing.T) {
	for name, limit := range map[string]string{
		"file size 0":       "ulimit -f 0",
		"file size 1":       "ulimit -f 1",
		"8 descriptors":     "ulimit -n 8",
		"16 descriptors":    "ulimit -n 16",
		"32 descriptors":    "ulimit -n 32",
		"300 descriptors":   "ulimit -n 300",
		"64 MB of memory":   "ulimit -v 65536",
		"no time":           "ulimit -t 1",
		"no core, no stack": "ulimit -c 0",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			ids := []string{save(t, open(t, w, "r"), "one").ID}
			id, err := limited(t, w, limit)
			switch {
			case err == nil:
				ids = append(ids, id)
			case name == "64 MB of memory": // the runtime may say so at length before anything of ours ran
			default:
				clearly(t, err, "file too large", "too many open files", "signal", "cannot", "no such file")
			}
			if name == "300 descriptors" && err != nil {
				t.Error(err)
			}
			ids = append(ids, save(t, open(t, w, "r"), "two").ID)
			intact(t, w, ids)
		})
	}
}

// Case B23: many saves, lists and failures leave no descriptor open.
func TestDescriptorsAreClosed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	count := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	round := func() {
		s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env, Now: storetest.Clock()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		save(t, s, "a thought")
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, _ = s.Checkpoints.Save(ended, thesis("too late"))
		_, _ = s.Lines.Branch(ctx, "main", "@")
		if _, err := s.Lines.List(ctx); err != nil {
			t.Error(err)
		}
	}
	round()
	before := count()
	for range 50 {
		round()
	}
	if after := count(); after > before+5 { // others of this process may be at work
		t.Errorf("%d descriptors before, %d after 50 rounds", before, after)
	}
}

// stranger is a user who may be anyone but root.
const stranger = 65534

// nobody runs saves in a repository of nobody's, with no more rights than that.
func asNobody(t *testing.T, w *storetest.World) {
	t.Helper()
	asRoot(t)
	for dir := w.Dir; dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		_ = os.Chmod(dir, 0o755)
	}
	err := filepath.WalkDir(w.Dir, func(p string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(p, stranger, stranger))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func saveAsNobody(t *testing.T, w *storetest.World) error {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(os.TempDir(), fmt.Sprintf("saver-%d", os.Getpid())) // which others may run
	if _, err := os.Stat(mine); err != nil {
		b, rerr := os.ReadFile(exe)
		if err := errors.Join(rerr, os.WriteFile(mine, b, 0o755), os.Chmod(mine, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Remove(mine) })
	cmd := exec.Command(mine)
	cmd.Dir = w.Path("r")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	cmd.Env = append(append([]string{}, w.Env...), "STORETEST_NAME=p", "STORETEST_SAVES=1", "STORETEST_LINE=main")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return errors.New(oursOf(string(out)))
	}
	return nil
}

// Case B24: where nothing may be written, saves fail in one line and lists go on.
func TestNothingMayBeWritten(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	ids := []string{save(t, open(t, w, "r"), "one").ID}
	asNobody(t, w)
	if err := saveAsNobody(t, w); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, w.Git("", "-c", "safe.directory=*", "-C", "r", "rev-parse", "refs/sage/heads/main"))
	modes := map[string]fs.FileMode{}
	_ = filepath.WalkDir(w.Path("r/.git"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			st, _ := d.Info()
			modes[p] = st.Mode()
			err = os.Chmod(p, 0o555)
		}
		return err
	})
	clearly(t, saveAsNobody(t, w), "ermission denied", "cannot")
	for p, m := range modes {
		_ = os.Chmod(p, m.Perm())
	}
	if err := saveAsNobody(t, w); err != nil {
		t.Error(err)
	}
	if got := w.Git("", "-c", "safe.directory=*", "-C", "r", "rev-list", "refs/sage/heads/main"); !strings.HasSuffix(got, ids[1]+"\n"+ids[0]) {
		t.Errorf("%s lacks %v", got, ids)
	}
}

// Case B25: an object or a folder that cannot be read takes nothing else along.
func TestSomethingCannotBeRead(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one := save(t, open(t, w, "r"), "one")
	save(t, open(t, w, "r"), "two")
	blob := w.Git("r", "rev-parse", one.ID+":checkpoint.md")
	file := w.Path("r/.git/objects", blob[:2], blob[2:])
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0)); err != nil { // root may read anything but this
		t.Fatal(err)
	}
	s := open(t, w, "r")
	if recs, err := s.Commits.Log(ctx, gitstore.Query{}); err != nil || len(recs) != 2 {
		t.Errorf("%v %v", recs, err)
	}
	_, err := s.Commits.Load(ctx, one.ID)
	clearly(t, err, "read checkpoint "+one.ID[:8])
	save(t, s, "three")
}

// Case B27: whatever the umask, what is ours is for those whom the repository is
// for, and nobody else may write it.
func TestUmask(t *testing.T) {
	for _, c := range []struct {
		umask string
		dir   fs.FileMode // of .git
	}{{"000", 0o755}, {"077", 0o700}, {"022", 0o755}, {"000", 0o700}} {
		t.Run(c.umask+" in "+c.dir.String(), func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			if err := os.Chmod(w.Path("r/.git"), c.dir); err != nil {
				t.Fatal(err)
			}
			if _, err := limited(t, w, "umask "+c.umask); err != nil {
				t.Fatal(err)
			}
			err := filepath.WalkDir(w.Path("r/.git/sage"), func(p string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				st, err := d.Info()
				if err == nil && st.Mode().Perm()&^c.dir != 0 && st.Mode().Perm() != 0o444 { // an object is as git makes one
					t.Errorf("%s is %v", p, st.Mode())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
