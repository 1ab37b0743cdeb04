package gitstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// chainOf is n checkpoints of different days in 2020.
func chainOf(n int) gitstore.Chain {
	ch := gitstore.Chain{Line: gitstore.DefaultLine, From: "a tool"}
	for i := range n {
		ch.Checkpoints = append(ch.Checkpoints, sage.Checkpoint{
			Thesis: fmt.Sprintf("thought %d", i), Time: time.Date(2020, 1, 1+i, 12, 0, 0, 0, time.UTC), Aliases: []string{fmt.Sprintf("old-%d", i)},
		})
	}
	return ch
}

func TestChainIsSavedTogether(t *testing.T) {
	for _, n := range []int{3, 60} { // by files, and by a pack
		w := storetest.New(t)
		w.Repo("r")
		s := open(t, w, "r", session("s1"))
		ch := chainOf(n)
		ch.Checkpoints[1].KeyEvidence = []string{"the key is ghp_0123456789abcdefghijklmnopqrstuvwxyz"}
		saved, err := s.Checkpoints.SaveChain(ctx, ch)
		if err != nil || len(saved.IDs) != n {
			t.Fatal(saved, err)
		}
		if len(saved.Redacted) != 1 {
			t.Errorf("redacted: %v", saved.Redacted)
		}
		r := open(t, w, "r")
		list, err := r.Commits.Log(ctx, gitstore.Query{Line: "main", All: true, Reverse: true})
		if err != nil || len(list) != n {
			t.Fatal(len(list), err)
		}
		for i, x := range list {
			if x.ID != saved.IDs[i] || x.Session != "" || !x.Own || !x.Time.Equal(ch.Checkpoints[i].Time) || i > 0 && x.Parents[0] != saved.IDs[i-1] {
				t.Errorf("%d: %+v", i, x)
			}
		}
		if id, err := r.Commits.Resolve(ctx, "old-2"); err != nil || id != saved.IDs[2] {
			t.Error(id, err)
		}
		w.Git("r", "fsck", "--strict", "--no-dangling")
		if rep, err := r.Fsck.Check(ctx); err != nil || len(rep.Findings) > 0 {
			t.Errorf("%+v, %v", rep.Findings, err)
		}
		got := save(t, r, "my own")
		if len(got.Parents) != 1 || got.Parents[0] != saved.IDs[n-1] {
			t.Errorf("the next save continues %v", got.Parents)
		}

		// What git loses the backup has, also of a pack.
		w.Git("r", "-c", "core.logAllRefUpdates=false", "update-ref", "-d", "refs/sage/heads/main")
		w.Git("r", "gc", "--quiet", "--prune=now")
		s = open(t, w, "r")
		if _, err := s.Fsck.Repair(ctx, gitstore.RepairRequest{}); err != nil {
			t.Fatal(err)
		}
		if list, err := s.Commits.Log(ctx, gitstore.Query{Line: "main", All: true}); err != nil || len(list) != n+1 {
			t.Errorf("behind a gc: %d, %v", len(list), err)
		}
	}
}

func TestChainBeginsWhereItSays(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	first, err := s.Checkpoints.SaveChain(ctx, chainOf(3))
	if err != nil {
		t.Fatal(err)
	}
	again := chainOf(2)
	if _, err := s.Checkpoints.SaveChain(ctx, again); !errors.Is(err, gitstore.ErrChanged) {
		t.Errorf("a second beginning: %v", err)
	}
	again.Parent, again.Fork = first.IDs[0], "0123abcd"
	fork, err := s.Checkpoints.SaveChain(ctx, again)
	if err != nil || fork.Ref != "refs/sage/forks/main/0123abcd" {
		t.Fatal(fork, err)
	}
	again.Parent = fork.IDs[1]
	if fork, err = s.Checkpoints.SaveChain(ctx, again); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(w.Git("r", "rev-list", fork.Ref)); len(got) != 5 || got[4] != first.IDs[0] {
		t.Errorf("the fork has %v", got)
	}
	for _, bad := range []gitstore.Chain{{Line: "main"}, {Line: "a/b", Checkpoints: again.Checkpoints}, {Line: "main", Fork: "..", Checkpoints: again.Checkpoints}} {
		if _, err := s.Checkpoints.SaveChain(ctx, bad); err == nil {
			t.Errorf("%+v was saved", bad)
		}
	}
}

// TestChainIsThereOrNot lets each write fail in turn.
func TestChainIsThereOrNot(t *testing.T) {
	for _, n := range []int{2, 40} {
		whole := false
		for at := 0; !whole; at++ {
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			broken := errors.New("broken")
			var left atomic.Int64 // several write at once
			left.Store(int64(at))
			restore := fsx.Inject(func(op fsx.Op, path string) error {
				if op != fsx.OpCreate && op != fsx.OpWrite && op != fsx.OpSync && op != fsx.OpRename {
					return nil
				}
				if left.Add(-1) == -1 {
					return broken
				}
				return nil
			})
			_, err := s.Checkpoints.SaveChain(ctx, chainOf(n))
			restore()
			whole = left.Load() >= 0
			got := 0
			if list, lerr := open(t, w, "r").Commits.Log(ctx, gitstore.Query{All: true}); lerr == nil {
				got = len(list)
			}
			if err == nil && got != n || err != nil && got != 0 {
				t.Fatalf("fault %d of %d checkpoints: %d are there, and it says %v", at, n, got, err)
			}
			if whole && err != nil {
				t.Fatal(err)
			}
		}
	}
}
