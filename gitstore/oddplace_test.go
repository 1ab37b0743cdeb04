package gitstore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Case F88: the history lies on another file system than the work tree.
func TestOtherFileSystem(t *testing.T) {
	store, err := os.MkdirTemp("/dev/shm", "sage-*")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(store) })
	w := storetest.New(t)
	w.Git("", "init", "-q", "--separate-git-dir="+store+"/git", "r")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "first")
	exercise(t, w, open(t, w, "r"), "r")
}

// Case F77: what .git leads to is what git says, not what a reader might think.
// Nothing here is trusted for the place it is found at.
func TestPlaceIsGits(t *testing.T) {
	for name, bend := range map[string]func(w *storetest.World) error{
		"a file that leads to another repository": func(w *storetest.World) error {
			_ = os.RemoveAll(w.Path("evil/.git"))
			return os.WriteFile(w.Path("evil/.git"), []byte("gitdir: ../other/.git\n"), 0o666)
		},
		"a link to another repository": func(w *storetest.World) error {
			_ = os.RemoveAll(w.Path("evil/.git"))
			return os.Symlink(w.Path("other/.git"), w.Path("evil/.git"))
		},
		"commondir of another repository": func(w *storetest.World) error {
			return os.WriteFile(w.Path("evil/.git/commondir"), []byte("../../other/.git\n"), 0o666)
		},
		"core.worktree of another repository": func(w *storetest.World) error {
			w.Git("evil", "config", "core.worktree", w.Path("other"))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("evil")
			w.Repo("other")
			if err := bend(w); err != nil {
				t.Skip(err)
			}
			s := open(t, w, "evil")
			want := w.Git("evil", "rev-parse", "--path-format=absolute", "--git-common-dir")
			if s.Repo.CommonDir() != want {
				t.Errorf("found %s, git %s", s.Repo.CommonDir(), want)
			}
			got := save(t, s, "there")
			if tip := w.Git("evil", "rev-parse", "refs/sage/heads/main"); tip != got.ID {
				t.Errorf("git has %s there, saved %s", tip, got.ID)
			}
		})
	}
}

// Case F76: where git refuses a repository of another user, we do, and where
// sudo tells git who the user is, both work there.
func TestOwnerIsGits(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	const other = 65534
	for name, give := range map[string][]string{
		"all of it": {"r", "r/.git"}, "the work tree": {"r"}, "the history": {"r/.git"},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			for _, path := range give {
				must(t, os.Chown(w.Path(path), other, other))
			}
			_, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env})
			if err == nil || !strings.Contains(err.Error(), "dubious ownership") {
				t.Errorf("got %v", err)
			}
			_, err = gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: append(w.Env, "GIT_DIR="+w.Path("r/.git")), Guest: true})
			if err == nil || !strings.Contains(err.Error(), "dubious ownership") {
				t.Errorf("with somebody else's GIT_DIR: %v", err)
			}
			w.Env = append(w.Env, "SUDO_UID=65534")
			if _, err := w.TryGit("r", "rev-parse"); err != nil {
				t.Skip("this git does not ask sudo")
			}
			save(t, open(t, w, "r"), "by sudo")
		})
	}
}

// withPath puts programs named git into folders and sets PATH.
func withPath(t *testing.T, w *storetest.World, script string, path ...string) {
	t.Helper()
	w.Write("bin/git", "#!/bin/sh\n"+script)
	must(t, os.Chmod(w.Path("bin/git"), 0o777))
	t.Setenv("PATH", strings.Join(path, string(os.PathListSeparator)))
}

// Case F85: without git, with one that is too old, or one in the folder one
// stands in, the error says what is needed and nothing is run.
func TestGitMissingOrOld(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	old := `case "$*" in
*--path-format*|*--show-scope*) echo "error: unknown option" >&2; exit 129;;
*update-ref*) cat >/dev/null; echo "fatal: unknown command: start" >&2; exit 128;;
*) exec ` + real + ` "$@";;
esac
`
	for _, tt := range []struct {
		name, script, dir, want string
		path                    func(w *storetest.World) []string
	}{
		{"missing", "", "r", "git is not installed", func(w *storetest.World) []string { return []string{w.Path("empty")} }},
		{"only where one stands", "touch \"$HOME/mark\"", "bin", "git is not installed", func(w *storetest.World) []string { return []string{"."} }},
		{"too old", old, "r", "git-sage needs 2.31 or newer", func(w *storetest.World) []string { return []string{w.Path("bin"), "/usr/bin", "/bin"} }},
		{"too old, in a linked work tree", old, "wt", "git-sage needs 2.31 or newer", func(w *storetest.World) []string { return []string{w.Path("bin"), "/usr/bin", "/bin"} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			w.Git("r", "worktree", "add", "-q", "../wt")
			withPath(t, w, tt.script, tt.path(w)...)
			t.Chdir(w.Path(tt.dir))
			s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env})
			if tt.dir == "wt" {
				s, err = gitstore.Open(ctx, gitstore.Options{Dir: w.Path("wt"), Env: w.Env})
			}
			if err == nil {
				_, err = s.Checkpoints.Save(ctx, thesis("x"))
				_ = s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if _, err := os.Lstat(filepath.Join(w.Home, "mark")); err == nil {
				t.Error("a git of the folder was run")
			}
		})
	}
}

// Case F85: the git behind a relative entry of PATH is found, and not the relative one.
func TestRelativePathIsPassedBy(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	withPath(t, w, "touch \"$HOME/mark\"\nexit 1\n", ".", "bin", os.Getenv("PATH"))
	t.Chdir(w.Path("bin"))
	save(t, open(t, w, "r"), "x")
	if _, err := os.Lstat(filepath.Join(w.Home, "mark")); err == nil {
		t.Error("a git of the folder was run")
	}
}
