package gitstore_test

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// users is what the user has: the work tree, and of git's folder all but objects
// and what is ours.
func users(t testing.TB, w *storetest.World, dir string) map[string]string {
	t.Helper()
	all := tree(t, w.Path(dir))
	maps.DeleteFunc(all, func(f, _ string) bool {
		return strings.HasPrefix(f, ".git/objects/") || strings.HasPrefix(f, ".git/sage/") || strings.Contains(f, "refs/sage/")
	})
	return all
}

// Case C34: whatever a user's git is in the midst of, a save works and changes
// nothing of it.
func TestSaveInTheMidst(t *testing.T) {
	conflict := func(w *storetest.World, how ...string) {
		w.Git("r", "checkout", "-q", "-b", "side")
		for _, branch := range []string{"side", "main"} {
			w.Git("r", "checkout", "-q", branch)
			w.Write("r/a.txt", branch+"\n")
			w.Git("r", "commit", "-qam", branch)
		}
		if out, err := w.TryGit("r", how...); err == nil {
			t.Errorf("git %v met no conflict: %s", how, out)
		}
	}
	for name, put := range map[string]func(w *storetest.World){
		"unborn":      func(w *storetest.World) { w.Git("r", "checkout", "-q", "--orphan", "new") },
		"detached":    func(w *storetest.World) { w.Git("r", "checkout", "-q", "--detach") },
		"merge":       func(w *storetest.World) { conflict(w, "merge", "side") },
		"rebase":      func(w *storetest.World) { conflict(w, "rebase", "side") },
		"cherry-pick": func(w *storetest.World) { conflict(w, "cherry-pick", "side") },
		"revert":      func(w *storetest.World) { conflict(w, "revert", "side") },
		"stash": func(w *storetest.World) {
			w.Write("r/a.txt", "put away\n")
			w.Git("r", "stash", "-q")
		},
		"bisect": func(w *storetest.World) {
			w.Git("r", "commit", "-q", "--allow-empty", "-m", "two")
			w.Git("r", "bisect", "start", "HEAD", "HEAD~1")
		},
		"staged and index locked": func(w *storetest.World) {
			w.Write("r/new", "x")
			w.Git("r", "add", "new")
			w.Write("r/.git/index.lock", "")
		},
		"HEAD on a branch that is gone": func(w *storetest.World) { w.Git("r", "symbolic-ref", "HEAD", "refs/heads/gone/by") },
		"branch is empty":               func(w *storetest.World) { w.Write("r/.git/refs/heads/main", "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			first := save(t, open(t, w, "r"), "before")
			put(w)
			before := users(t, w, "r")
			s := open(t, w, "r")
			got := save(t, s, "in the midst")
			if diff := cmp.Diff(before, users(t, w, "r")); diff != "" {
				t.Errorf("the user's changed:\n%s", diff)
			}
			if c, err := s.Commits.Load(ctx, got.ID); err != nil || c.Thesis != "in the midst" || len(c.Parents) != 1 || c.Parents[0] != first.ID {
				t.Errorf("%+v %v", c, err)
			}
		})
	}
}

// Case C35: the work tree in which a save is at work is removed. Nothing that was
// acknowledged goes with it, and who stands where it was is told in one line.
func TestWorktreeRemovedDuringSave(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "worktree", "add", "-q", "../wt")
	ids := []string{save(t, open(t, w, "wt"), "one").ID}
	env := dying(t, w, "git -C '"+w.Path("r")+"' worktree remove --force ../wt; kill -9 $$") // it was fed too little to go on
	path := os.Getenv("PATH")
	t.Setenv("PATH", strings.TrimPrefix(env[0], "PATH="))
	got, err := open(t, w, "wt").Checkpoints.Save(ctx, thesis("two"))
	t.Setenv("PATH", path)
	if err == nil {
		ids = append(ids, got.ID)
	} else if strings.Contains(err.Error(), "\n") {
		t.Errorf("not one line: %q", err)
	}
	if _, err := os.Stat(w.Path("wt")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("it is still there: %v", err)
	}
	ids = append(ids, save(t, open(t, w, "r"), "three").ID)
	loads(t, w, "r", ids)
	w.Write("wt/.git", "gitdir: "+w.Path("r/.git/worktrees/wt")+"\n")
	_, err = gitstore.Open(ctx, gitstore.Options{Dir: w.Path("wt"), Env: w.Env})
	clearly(t, err, "not a git repository", "worktrees/wt")
}

// Case C37: a hook of git's that runs while what is pushed is in quarantine cannot
// save: git allows no ref to move, the error says so, and nothing is left.
func TestInsideQuarantine(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("", "clone", "-q", "--bare", "r", "b.git")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{save(t, open(t, w, "b.git"), "one").ID}
	w.Write("b.git/hooks/pre-receive", "#!/bin/sh\nSTORETEST_SAVES=1 STORETEST_NAME=hook "+exe+"\nexit 0\n")
	if err := os.Chmod(w.Path("b.git/hooks/pre-receive"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "pushed")
	out := w.Git("r", "push", "../b.git", "main")
	if !strings.Contains(out, "quarantine") || !strings.Contains(out, "post-receive") {
		t.Errorf("it says: %s", out)
	}
	if got := strings.Fields(w.Git("b.git", "rev-list", "--glob=refs/sage")); len(got) != 1 {
		t.Errorf("moved to %v", got)
	}
	ids = append(ids, save(t, open(t, w, "b.git"), "two").ID)
	loads(t, w, "b.git", ids)
}

// Case C39: however many objects are loose, no gc of git's runs because of us, and
// none is asked for.
func TestNoGCBecauseOfUs(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	for _, kv := range [][2]string{{"gc.auto", "1"}, {"gc.autoDetach", "false"}, {"maintenance.auto", "true"}} {
		w.Git("r", "config", kv[0], kv[1])
	}
	for i, n := 0, 0; n < 3; i++ { // from the files in this one folder git judges how many there are
		if text := fmt.Sprintln(i); fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)))[:2] == "17" {
			w.Write("r/text", text)
			w.Git("r", "hash-object", "-w", "text")
			n++
		}
	}
	s := open(t, w, "r")
	for i := range 5 {
		save(t, s, fmt.Sprint("thought ", i))
	}
	if err := s.Tree.WriteFiles(ctx, "add", map[string][]byte{"system/a.md": []byte("a\n")}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{"@~1"}); err != nil {
		t.Fatal(err)
	}
	loose := len(looseFiles(t, dir))
	if packs := packFiles(t, dir); len(packs) != 0 || loose < 5*3 {
		t.Errorf("%d loose objects, packs %v", loose, packs)
	}
	w.Git("r", "gc", "--auto", "-q") // which has these settings
	if packs := packFiles(t, dir); len(packs) == 0 {
		t.Error("git would not have run one either: this shows nothing")
	}
}

// Case C44: of the names that are accepted no two differ only in case, and none is a
// folder of another, so that they are as many files everywhere.
func TestNamesAreFilesEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringMatching(`[a-zA-Z0-9._/-]{1,8}`), rapid.String()).Draw(t, "name")
		if gitstore.CheckName(name) == nil && (strings.ToLower(name) != name || strings.ContainsAny(name, `/\:`)) {
			t.Fatalf("%q is accepted", name)
		}
	})
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	for _, name := range []string{"Main", "MAIN", "main/a", "main/", "a/b"} {
		if _, err := s.Lines.Branch(ctx, name, "@"); !errors.Is(err, gitstore.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Case B20: where there is room for objects and refs and none for what we keep
// beside them, a save is acknowledged all the same, and says what it could not keep.
func TestNoRoomBeside(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	ids := []string{save(t, s, "one").ID}
	var failed atomic.Int64
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if strings.Contains(filepath.ToSlash(path), "/.git/sage/") && op != fsx.OpStat && op != fsx.OpOpen {
			failed.Add(1)
			return syscall.ENOSPC
		}
		return nil
	})
	got, err := s.Checkpoints.Save(ctx, thesis("two"))
	restore()
	if err != nil || failed.Load() == 0 {
		t.Fatalf("%d operations failed: %v", failed.Load(), err)
	}
	if len(got.Warnings) == 0 {
		t.Error("nothing is said")
	}
	ids = append(ids, got.ID, save(t, s, "three").ID)
	intact(t, w, ids)
}
