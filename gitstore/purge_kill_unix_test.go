//go:build unix

package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// purger purges the planted secret as a process of its own, which kills itself
// right before the n-th operation that changes a file; 0 is never.
func purger(n string) int {
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ(), Now: storetest.Clock()})
	if err == nil {
		defer killedBefore(n, func(op fsx.Op, _ string) bool { return op.Changes() })()
		_, err = s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
	}
	return status(err)
}

// Killed before any of its operations on files a purge has lost nothing: every
// checkpoint loads by the id that it had. Running it again finishes it.
func TestPurgeKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	own := usersOwn(t, w, "r")
	s := open(t, w, "r")
	ids := plant(t, w, s, "r")
	w.Git("r", "repack", "-dq")
	ids = append(ids, save(t, s, "loose says "+planted).ID)
	killed, step, least := 0, 2, 10
	if thorough {
		step, least = 5, 15
	}
	for k := 1; ; k += 1 + k/step {
		dir, died := inCopy(t, w, "STORETEST_PURGE", k)
		if !died {
			break
		}
		killed++
		afterKill(t, w, dir, ids)
		s := open(t, w, dir)
		purge(t, s, gitstore.PurgeRequest{Match: planted})
		nowhere(t, w, dir, planted)
		still(t, w, dir, own)
		sound(t, w, dir)
		loads(t, w, dir, ids)
		if t.Failed() {
			t.Fatalf("killed at %d", k)
		}
		_ = s.Close()
		_ = os.RemoveAll(w.Path(dir))
	}
	if killed < least {
		t.Errorf("killed %d times only", killed)
	}
	t.Logf("killed %d times", killed)
}

// afterKill looks at what a killed purge left: all is there, and saving goes on.
func afterKill(t *testing.T, w *storetest.World, dir string, ids []string) {
	t.Helper()
	s := open(t, w, dir)
	defer s.Close()
	canLoad(t, s, ids)
	if got := save(t, s, "right behind it"); got.Forked {
		t.Errorf("%+v", got)
	}
}

// Saves beside a purge are all there afterwards, and do not bring back what was
// purged; neither does a session that saw the old history, nor a gc.
func TestPurgeBesideSaves(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	plant(t, w, s, "r")
	for _, who := range []string{"aaaaaaaa", "bbbbbbbb"} {
		save(t, open(t, w, "r", session(who)), who+" says "+planted)
	}
	var ids []string
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, env := range []string{"STORETEST_LINE=main", "STORETEST_SESSION=aaaaaaaa", "STORETEST_SESSION=bbbbbbbb"} {
		wg.Go(func() {
			got := crowd(t, w, "r", 2, 15, env)
			mu.Lock()
			defer mu.Unlock()
			ids = append(ids, got...)
		})
	}
	for round := range 3 {
		if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted}); err != nil {
			t.Errorf("purge %d: %v", round, err)
		}
	}
	wg.Wait()
	if len(ids) != 90 {
		t.Errorf("%d saves of 90", len(ids))
	}
	purge(t, s, gitstore.PurgeRequest{Match: planted})
	nowhere(t, w, "r", planted)
	sound(t, w, "r")
	loads(t, w, "r", ids)
}

// Where objects lie that cannot be touched, the purge says so: a pack that is to be
// kept, another repository, an object of the user's that refers to one of ours.
func TestPurgeSaysWhatStays(t *testing.T) {
	for _, c := range []struct {
		name, want string
		then       func(w *storetest.World, id string)
		dir        string
	}{
		{"kept pack", ".keep file", func(w *storetest.World, _ string) {
			w.Git("r", "repack", "-adq")
			packs, _ := filepath.Glob(w.Path("r/.git/objects/pack/*.pack"))
			w.Write("r/.git/objects/pack/"+strings.TrimSuffix(filepath.Base(packs[0]), "pack")+"keep", "")
		}, "r"},
		{"alternate", "borrows objects", func(w *storetest.World, _ string) {
			w.Git("", "clone", "-q", "--shared", "r", "borrower")
			w.Git("borrower", "fetch", "-q", "origin", "refs/sage/heads/main:refs/sage/heads/main")
		}, "borrower"},
		{"a branch of the user's", "something of yours", func(w *storetest.World, id string) { w.Git("r", "branch", "odd", id) }, "r"},
		{"a dangling commit of the user's", "git prune", func(w *storetest.World, id string) {
			w.Git("r", "commit-tree", "-p", id, "-m", "mine", "HEAD^{tree}")
		}, "r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			id := save(t, open(t, w, "r"), "it says "+planted).ID
			c.then(w, id)
			s := open(t, w, c.dir)
			out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
			if err != nil || len(out.Left) == 0 {
				t.Fatalf("%+v %v", out, err)
			}
			for _, l := range out.Left {
				if !strings.Contains(l.Why, c.want) {
					t.Errorf("%+v", l)
				}
			}
			sound(t, w, c.dir)
			wantList(t, subjects(t, open(t, w, c.dir), gitstore.Query{}), "it says [PURGED]")
		})
	}
}

// A purge in a linked work tree reaches the files of all work trees, and keeps
// what only an index or HEAD of one of them holds.
func TestPurgeWorktrees(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "worktree", "add", "-q", "--detach", "../wt")
	w.Write("wt/new.txt", "in the index of the other one\n")
	w.Git("wt", "add", "new.txt")
	w.Git("wt", "commit", "-q", "--allow-empty", "-m", "on a detached HEAD")
	s := open(t, w, "r")
	one := save(t, s, "one "+planted)
	save(t, s, "two")
	if _, err := s.Lines.Restore(ctx, one.ID); err != nil {
		t.Fatal(err)
	}
	own := strings.Fields(w.Git("wt", "rev-list", "--objects", "--no-object-names", "--indexed-objects", "HEAD"))
	purge(t, open(t, w, "wt"), gitstore.PurgeRequest{Match: planted})
	nowhere(t, w, "r", planted)
	still(t, w, "r", own)
	sound(t, w, "r")
	s = open(t, w, "r")
	if _, seen := s.Session.Position(); seen == one.ID || seen == "" {
		t.Errorf("the other work tree still stands at %s", seen)
	}
	if got := save(t, s, "beside"); !got.Forked || got.Continues != "one [PURGED]" {
		t.Errorf("%+v", got)
	}
}
