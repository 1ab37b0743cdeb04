package gitstore_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Derived data lies in the main work tree where that is ours and nobody else's, and
// else beside git's objects.
func TestSidecarPlaces(t *testing.T) {
	const local, beside = "r/.sage/local", "r/.git/sage/index"
	for name, c := range map[string]struct {
		make func(w *storetest.World)
		dir  string // that is opened; "" is r
		want string
	}{
		"plain":           {func(w *storetest.World) {}, "", local},
		"a folder in it":  {func(w *storetest.World) { w.Write("r/d/x", "") }, "r/d", local},
		"linked worktree": {func(w *storetest.World) { w.Git("r", "worktree", "add", "-q", "../wt") }, "wt", local},
		"linked worktree of a bare one": {func(w *storetest.World) {
			w.Git("r", "worktree", "add", "-q", "../wt")
			w.Git("r", "config", "core.bare", "true")
		}, "wt", beside},
		"not excluded": {func(w *storetest.World) { w.Write("r/.git/info/exclude", "# none\n") }, "", beside},
		"a link to it": {func(w *storetest.World) { w.Write("x/y", ""); link(w, "x", "r/.sage") }, "", beside},
		"a link in it": {func(w *storetest.World) { w.Write("r/.sage/x", ""); link(w, "x", "r/.sage/local") }, "", beside},
		"a link as id": {func(w *storetest.World) {
			w.Write("r/.sage/local/x", "")
			link(w, "r/.git/sage/id", "r/.sage/local/id")
		}, "", beside},
		"a file":     {func(w *storetest.World) { w.Write("r/.sage/local", "") }, "", beside},
		"of another": {func(w *storetest.World) { w.Write("r/.sage/local/id", strings.Repeat("0", 32)+"\n") }, "", beside},
		"tracked": {func(w *storetest.World) {
			w.Write("r/.sage/local/docs1.list", "")
			w.Git("r", "add", "-f", ".sage")
		}, "", beside},
		"bare": {func(w *storetest.World) { w.Git("", "clone", "-q", "--bare", "r", "b.git") }, "b.git", "b.git/sage/index"},
		"submodule": {func(w *storetest.World) {
			w.Repo("lib")
			w.Git("r", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", w.Path("lib"), "lib")
		}, "r/lib", "r/.git/modules/lib/sage/index"},
		"separate git dir": {func(w *storetest.World) { w.Git("", "init", "-q", "--separate-git-dir="+w.Path("store"), "s") }, "s", "store/sage/index"},
		"work tree elsewhere": {func(w *storetest.World) {
			w.Write("e/x", "")
			w.Git("r", "config", "core.worktree", w.Path("e"))
		}, "e", beside},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			if _, err := open(t, w, "r").Init(ctx); err != nil {
				t.Fatal(err)
			}
			c.make(w)
			dir := c.dir
			if dir == "" {
				dir = "r"
			}
			if name == "work tree elsewhere" {
				w.Env = append(w.Env, "GIT_DIR="+w.Path("r/.git"), "GIT_WORK_TREE="+w.Path("e"))
			}
			s := open(t, w, dir)
			if dir != "r" {
				if _, err := s.Init(ctx); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second time by what it wrote
				got, err := s.Sidecar(ctx, w.Path("cache"))
				if err != nil || got.Dir != w.Path(c.want) || len(got.ID) != 32 {
					t.Fatalf("%+v %v, want %s", got, err, c.want)
				}
				if st, err := os.Stat(got.Dir); err != nil || !st.IsDir() {
					t.Fatal(st, err)
				}
			}
		})
	}
}

func link(w *storetest.World, to, from string) {
	if err := os.Symlink(w.Path(to), w.Path(from)); err != nil {
		panic(err)
	}
}

// What is tracked later is not used any more, and asking again costs no process as
// long as git's index is as it was.
func TestSidecarIsTrackedLater(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	git := w.FaultyGit()
	w.Env = append(slices.DeleteFunc(w.Env, func(kv string) bool { return strings.HasPrefix(kv, "PATH=") }), "PATH="+os.Getenv("PATH"))
	s := open(t, w, "r")
	if _, err := s.Init(ctx); err != nil {
		t.Fatal(err)
	}
	place := func() gitstore.Sidecar {
		t.Helper()
		got, err := s.Sidecar(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := place()
	git.Heal() // and counts from here
	if again := place(); again != first || slices.Contains(git.Calls(), "ls-files") {
		t.Errorf("%v, then %v, by %v", first, again, git.Calls())
	}
	w.Git("r", "add", "-f", ".sage/local/id")
	if got := place(); got.Dir != w.Path("r/.git/sage/index") || !slices.Contains(git.Calls(), "ls-files") {
		t.Errorf("tracked: %v by %v", got, git.Calls())
	}
	w.Git("r", "rm", "-q", "--cached", ".sage/local/id")
	if got := place(); got != first {
		t.Errorf("not tracked any more: %v", got)
	}
	if found, err := s.Fsck(ctx); err != nil || len(found) > 0 {
		t.Errorf("fsck: %v %v", found, err)
	}
}
