package gitstore

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Whoever is killed behind the move of a ref, before it is written down whose it is, saved
// what is theirs: a checkpoint, and an item that comes with every prompt.
func TestKilledBehindTheMoveIsOwn(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	restore := fsx.Inject(func(op fsx.Op, path string) error { // nothing reaches the lists that are written behind it
		for _, name := range []string{"journal", "own", "vouched"} {
			if path == s.Repo.Dir(name) && op != fsx.OpStat && op != fsx.OpRead {
				return os.ErrPermission
			}
		}
		return nil
	})
	saved, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: "mine"}})
	if err == nil {
		_, err = s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Item: &sage.Item{ID: "door", Content: "The code is 4711.", Scope: sage.Scope{Always: true}}})
	}
	restore()
	if err != nil {
		t.Fatal(err)
	}
	if fsx.There(s.Ownership.OwnFile()) || fsx.There(s.Ownership.VouchedFile()) {
		t.Fatal("it was written down all the same")
	}
	s = trusting(t, w, "r")
	if r, err := s.Commits.Record(ctx, saved.ID); err != nil || !r.Own {
		t.Errorf("the checkpoint: %+v, %v", r, err)
	}
	if e, err := s.Knowledge.Item(ctx, "door"); err != nil || !s.Knowledge.IsOwnItem(e) || !s.Ownership.Vouched(confirm.AlwaysSum(e)) {
		t.Errorf("the item: %+v, %v", e, err)
	}
	s.Repo.Options.Home = w.Path("other")
	s = reopened(t, s)
	if r, err := s.Commits.Record(ctx, saved.ID); err != nil || r.Own {
		t.Errorf("it is somebody else's, too: %+v, %v", r, err)
	}
}

// reopened opens the store of s again, at the home that it has now.
func reopened(t *testing.T, s *Store) *Store {
	t.Helper()
	again, err := Open(context.Background(), s.Repo.Options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return again
}

// The list of what was begun stays short, and keeps what only it tells.
func TestShortenBegun(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	saved, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: "mine"}})
	if err != nil {
		t.Fatal(err)
	}
	killed := strings.Repeat("ab", 20)
	s.Ownership.Claim(ownership.Making{IDs: []string{killed}, Mixed: true})
	if s.Ownership.BegunIDs().Has(killed) {
		t.Error("a join of what came from elsewhere is claimed")
	}
	s.Ownership.Claim(ownership.Making{IDs: []string{killed}})
	for range ownership.MostBegun / 60 {
		s.Ownership.Claim(ownership.Making{IDs: []string{saved.ID}})
	}
	b, err := os.ReadFile(s.Ownership.BegunFile())
	if err != nil || len(b) > ownership.MostBegun || !s.Ownership.BegunIDs().Has(killed) {
		t.Errorf("%d bytes, %v, the killed one: %v", len(b), err, s.Ownership.BegunIDs().Has(killed))
	}
	if r, err := s.Commits.Record(ctx, saved.ID); err != nil || !r.Own {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Commits.Record(ctx, killed); !errors.Is(err, repo.ErrNotFound) {
		t.Errorf("what was never saved: %v", err)
	}
}

// A purge forgets what was begun of what it took out.
func TestPurgeForgetsWhatWasBegun(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	it := &sage.Item{ID: "door", Type: sage.Knowledge, Content: "The code is 4711."}
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Item: it}); err != nil {
		t.Fatal(err)
	}
	e, err := s.Knowledge.Item(ctx, "door")
	if err != nil || !s.Ownership.BegunIDs().Has(ownership.SumOf("door", e.Item, false)) {
		t.Fatal("it was not begun", err)
	}
	if _, err := s.Purge.Run(ctx, purge.PurgeRequest{Match: "4711"}); err != nil {
		t.Fatal(err)
	}
	if s.Ownership.BegunIDs().Has(ownership.SumOf("door", e.Item, false)) {
		t.Error("its sum is kept")
	}
}
