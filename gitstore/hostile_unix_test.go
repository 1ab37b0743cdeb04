//go:build unix

package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What lies beside git's objects can come in an archive. Whatever it is, a save
// goes on and the user's own file behind a link keeps its content.
func TestStrangersFiles(t *testing.T) {
	for kind, plant := range map[string]func(path, precious string) error{
		"pipe":    func(path, _ string) error { return syscall.Mkfifo(path, 0o666) },
		"folder":  func(path, _ string) error { return os.Mkdir(path, 0o777) },
		"huge":    func(path, _ string) error { return hole(path) },
		"garbage": func(path, _ string) error { return os.WriteFile(path, []byte("\x00\xff{]"), 0o666) },
		"link":    func(path, precious string) error { return os.Symlink(precious, path) },
		"endless": func(path, _ string) error { return os.Symlink("/dev/zero", path) },
	} {
		for _, name := range []string{"line", "stand.json", "lock", "id", "cache/config.json", "cache/head", "cache/removed.json"} {
			t.Run(kind+"/"+filepath.Base(name), func(t *testing.T) {
				w := storetest.New(t)
				w.Repo("r")
				w.Write("precious", "other\n")
				first := save(t, open(t, w, "r"), "first")
				path := w.Path("r/.git/sage/" + name)
				must(t, os.MkdirAll(filepath.Dir(path), 0o777))
				must(t, os.RemoveAll(path))
				must(t, plant(path, w.Path("precious")))
				s := open(t, w, "r")
				if got := save(t, s, "second"); got.Line != "main" || got.Parents[0] != first.ID {
					t.Errorf("saved %+v", got)
				}
				if recs, err := s.Commits.Log(ctx, gitstore.Query{}); err != nil || len(recs) != 2 {
					t.Errorf("log: %v %v", recs, err)
				}
				if b, err := os.ReadFile(w.Path("precious")); err != nil || string(b) != "other\n" {
					t.Errorf("the user's file: %q %v", b, err)
				}
			})
		}
	}
}

func hole(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(1 << 40)
}

func TestStrangersFolders(t *testing.T) {
	for _, name := range []string{
		".git/sage", ".git/sage/cache", ".git/sage/cache/given", ".git/sage/cache/recalled", ".git/sage/sessions", ".git/sage/continuity",
		".git/sage/wanted", ".git/sage/writers", ".git/sage/branches", ".git/sage/folders", ".git/sage/repairs",
		".git/sage/backup.git", ".git/sage/backup.git/objects", ".git/sage/backup.git/refs",
		".git/sage/private.git", ".git/sage/private.git/objects", ".git/sage/private.git/refs",
	} {
		w := storetest.New(t)
		w.Repo("r")
		must(t, os.MkdirAll(w.Path("private"), 0o777))
		must(t, os.MkdirAll(filepath.Dir(w.Path("r/"+name)), 0o777))
		must(t, os.Symlink(w.Path("private"), w.Path("r/"+name)))
		_, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env, Writing: true})
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(w.Path("private")); err != nil || len(left) > 0 {
			t.Errorf("%s: written outside: %v %v", name, left, err)
		}
	}
}

// A git that was killed leaves its lock. A save says so at once, and goes on
// when the lock is gone.
func TestLockLeftBehind(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	first := save(t, s, "first")
	lock := w.Path("r/.git/refs/sage/heads/main.lock")
	w.Write("r/.git/refs/sage/heads/main.lock", "")
	long := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(lock, long, long))
	_, err := s.Checkpoints.Save(ctx, thesis("second"))
	if err == nil || !strings.Contains(err.Error(), "main.lock' has locked the ref for 60 minutes") {
		t.Errorf("save: %v", err)
	}
	must(t, os.Remove(lock))
	if got := save(t, s, "second"); got.Parents[0] != first.ID {
		t.Errorf("saved %+v", got)
	}
}

// shim puts a program in git's place that runs script after git moved refs.
func shim(t *testing.T, script string) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := "#!/bin/sh\ncase \"$*\" in\n*update-ref*) '" + real + "' \"$@\" || exit\n" + script + ";;\n*) exec '" + real + "' \"$@\";;\nesac\n"
	must(t, os.WriteFile(filepath.Join(dir, "git"), []byte(text), 0o777))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A git that fails behind its commit has moved the ref, and saved is saved.
func TestGitFailsBehindTheMove(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	shim(t, "exit 128")
	got := save(t, open(t, w, "r"), "first")
	if tip := w.Git("r", "rev-parse", "refs/sage/heads/main"); tip != got.ID {
		t.Errorf("acknowledged %s, git has %s", got.ID, tip)
	}
}

// Where the ref can be read only at the third try, saved is saved all the same;
// where it cannot be read at all, the error says that nobody knows.
func TestGitFailsBehindTheMoveAndAtReading(t *testing.T) {
	for name, tt := range map[string]struct {
		fails int
		want  string // in the error; "" is none
	}{"twice": {2, ""}, "always": {1000, "cannot tell whether the ref moved"}} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			real, err := exec.LookPath("git")
			if err != nil {
				t.Fatal(err)
			}
			script := fmt.Sprintf(`case "$*" in
*update-ref*) '%[1]s' "$@"; [ -e "$HOME/left" ] || echo %[2]d >"$HOME/left"; exit 128;;
*rev-parse*) if [ -e "$HOME/left" ] && read n <"$HOME/left" && [ $n -gt 0 ]; then
	echo $((n-1)) >"$HOME/left"; echo "fatal: input/output error" >&2; exit 128; fi;;
esac
exec '%[1]s' "$@"
`, real, tt.fails)
			withPath(t, w, script, w.Path("bin"), os.Getenv("PATH"))
			got, err := open(t, w, "r").Checkpoints.Save(ctx, thesis("first"))
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v", err)
				}
				return
			}
			if tip := w.Git("r", "rev-parse", "refs/sage/heads/main"); err != nil || tip != got.ID {
				t.Errorf("acknowledged %s %v, git has %s", got.ID, err, tip)
			}
		})
	}
}

// What is not safe on disk after the ref moved is no save, and leaves nothing.
func TestFailedSaveIsTakenBack(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	first := save(t, open(t, w, "r"), "first")
	shim(t, `id=$('`+"git"+`' rev-parse refs/sage/heads/main) && fan=.git/objects/$(echo $id | cut -c1-2) && rm -rf $fan && : >$fan`)
	_, err := open(t, w, "r").Checkpoints.Save(ctx, thesis("second"))
	if err == nil {
		t.Fatal("a save without its commit was acknowledged")
	}
	if tip := w.Git("r", "rev-parse", "refs/sage/heads/main"); tip != first.ID {
		t.Errorf("%v, but the ref is %s", err, tip)
	}
}

// What is saved is for those whom the repository is for.
func TestModes(t *testing.T) {
	for _, tt := range []struct {
		name         string
		share        string
		made, saving int // umask when the repository is made, and at a save
		file, folder os.FileMode
		object       os.FileMode
	}{
		{"common", "umask", 0o022, 0o022, 0o644, 0o755, 0o444},
		{"private", "umask", 0o077, 0o077, 0o600, 0o700, 0o400},
		{"saved in private", "umask", 0o022, 0o077, 0o644, 0o755, 0o400},
		{"careless", "umask", 0o022, 0, 0o644, 0o755, 0o444},
		{"shared", "group", 0o022, 0o022, 0o664, 0o775, 0o444},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old := syscall.Umask(tt.made)
			defer syscall.Umask(old)
			w := storetest.New(t)
			w.Repo("r", "--shared="+tt.share)
			syscall.Umask(tt.saving)
			s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env, Session: "s"})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			got := save(t, s, "first")
			sessions, err := filepath.Glob(w.Path("r/.git/sage/sessions/*.json"))
			if err != nil || len(sessions) != 1 {
				t.Fatal(sessions, err)
			}
			for path, want := range map[string]os.FileMode{
				sessions[0]: tt.file, w.Path("r/.git/sage"): tt.folder, w.Path("r/.git/sage/sessions"): tt.folder,
				w.Path("r/.git/objects", got.ID[:2], got.ID[2:]): tt.object,
			} {
				st, err := os.Stat(path)
				if err != nil || st.Mode().Perm() != want {
					t.Errorf("%s: %v, want %v (%v)", path, st.Mode().Perm(), want, err)
				}
			}
		})
	}
}
