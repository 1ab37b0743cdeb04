package gitstore

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// removed has somebody else, who works in the same repository, remove items.
func removed(t *testing.T, w *storetest.World, keys ...string) {
	t.Helper()
	other, err := Open(ctx, repo.Options{Dir: w.Path("r"), Home: w.Path("other"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var changes []knowledge.ItemChange
	for _, key := range keys {
		changes = append(changes, knowledge.ItemChange{Key: key, Remove: true})
	}
	if _, err := other.Knowledge.WriteItems(ctx, "", changes...); err != nil {
		t.Fatal(err)
	}
}

func listedKeys(t *testing.T, s *Store) string {
	t.Helper()
	var keys []string
	list, err := s.Knowledge.Items(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, shelf := range []string{contents.SystemDir, contents.SkillsDir} {
		more, err := s.Knowledge.ItemsUnder(ctx, shelf)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	for _, e := range list {
		keys = append(keys, e.Key)
		if one, err := s.Knowledge.Item(ctx, e.Key); err != nil || one.IsRemoved() != e.IsRemoved() || one.Blob != e.Blob {
			t.Errorf("listed is %+v, alone it is %+v, %v", e, one, err)
		}
	}
	return strings.Join(keys, " ")
}

// What somebody else removes of one's own counts as it was left until its user says that it
// goes, or writes it anew.
func TestWhatOthersRemoveWaits(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "The door is shut."}, &sage.Item{ID: "gate", Content: "The gate is open."}, &sage.Item{ID: "rest", Content: "Mine."})
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "system/here", Item: &sage.Item{ID: "here", Content: "A note."}}); err != nil {
		t.Fatal(err)
	}
	all := listedKeys(t, s)
	_, _, was, err := s.Knowledge.ItemsSince(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	removed(t, w, "door", "gate", "system/here")
	if got := waitingKeys(t, s); got != "door gate system/here" {
		t.Errorf("waits: %s", got)
	}
	if got := listedKeys(t, s); got != all {
		t.Errorf("listed: %s, want %s", got, all)
	}
	for _, old := range []string{"", was} {
		changed, gone, _, err := s.Knowledge.ItemsSince(ctx, old)
		n := 0
		for _, e := range changed {
			if e.IsRemoved() && e.IsAsLeft() && s.Review.SaysOwn(e) && !s.Knowledge.IsOwnItem(e) {
				n++
			}
		}
		if err != nil || n != 2 || len(gone) > 0 {
			t.Errorf("since %q: %d, gone %v, %v", old, n, gone, err)
		}
		by, err := s.Knowledge.ItemAuthors(ctx, old, "")
		if err != nil || by["door"].Commit == "" || by["door"].Here {
			t.Errorf("since %q: %+v, %v", old, by, err)
		}
	}

	// an agent does not have it go, and nobody by an older look
	door, err := s.Knowledge.Item(ctx, "door")
	if err != nil {
		t.Fatal(err)
	}
	s.Repo.Options.Person = false
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "door", Remove: true}); !errors.Is(err, repo.ErrNoPerson) {
		t.Error(err)
	}
	s.Repo.Options.Person = true
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Item: &sage.Item{ID: "door", Content: "Another."}}); !errors.Is(err, repo.ErrExists) {
		t.Error(err)
	}
	// kept it is written anew, and is own; it may be removed, and comes back by an undo
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "door", Seen: door.Blob, Edit: func(*sage.Item) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Knowledge.Item(ctx, "door"); err != nil || !s.Knowledge.IsOwnItem(now) || now.Item.Content != "The door is shut." {
		t.Errorf("%+v, %v", now, err)
	}
	if err := s.Review.ConfirmItems(ctx, door); !errors.Is(err, repo.ErrChanged) {
		t.Error(err)
	}
	for _, want := range []string{"door gate system/here", "gate system/here"} {
		acts, err := s.Acts.List(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Acts.Undo(ctx, acts[0]); err != nil || waitingKeys(t, s) != want {
			t.Errorf("%v, waits: %s, want %s", err, waitingKeys(t, s), want)
		}
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "door", Remove: true}, knowledge.ItemChange{Key: "gate", Remove: true}); err != nil {
		t.Fatal(err)
	}
	if got := waitingKeys(t, s) + "; " + listedKeys(t, s); got != "system/here; rest system/here" {
		t.Error(got)
	}
	if n, err := s.Review.ConfirmAll(ctx, false, true); err != nil || n.Items != 1 || listedKeys(t, s) != "rest" {
		t.Errorf("%+v, %v: %s", n, err, listedKeys(t, s))
	}
}

// Where there is no knowledge nobody removed anything from it.
func TestNothingIsRemovedFromNothing(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."})
	w.Git("r", "update-ref", "-d", "refs/sage/knowledge")
	s = reopened(t, s)
	if got := waitingKeys(t, s) + listedKeys(t, s); got != "" {
		t.Error(got)
	}
}

// Who is killed behind the move of a ref that removes an item removed it.
func TestKilledBehindTheMoveRemoved(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "Shut."}, &sage.Item{ID: "rest", Content: "Mine."})
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if path == s.Ownership.VersionsFile() && (op == fsx.OpCreate || op == fsx.OpWrite) {
			return os.ErrPermission
		}
		return nil
	})
	_, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "door", Remove: true})
	restore()
	s = reopened(t, s)
	if got := waitingKeys(t, s) + listedKeys(t, s); err != nil || got != "rest" {
		t.Error(got, err)
	}
}

// A purge leaves what waits, without what it takes out, and brings nothing back.
func TestPurgeBesideRemovals(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	put(t, s, &sage.Item{ID: "door", Content: "The door is shut."}, &sage.Item{ID: "gate", Content: "The code is 4711."},
		&sage.Item{ID: "is-4711", Content: "Open."}, &sage.Item{ID: "old", Content: "Old."}, &sage.Item{ID: "rest", Content: "Mine."})
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "old", Remove: true}); err != nil {
		t.Fatal(err)
	}
	removed(t, w, "door", "gate", "is-4711")
	if got := waitingKeys(t, s); got != "door gate is-4711" {
		t.Fatalf("waits: %s", got)
	}
	if _, err := s.Purge.Run(ctx, purge.PurgeRequest{Match: "4711"}); err != nil {
		t.Fatal(err)
	}
	s = reopened(t, s)
	if got := waitingKeys(t, s); got != "door gate" {
		t.Errorf("waits: %s", got)
	}
	if e, err := s.Knowledge.Item(ctx, "gate"); err != nil || strings.Contains(e.Item.Content, "4711") {
		t.Errorf("%+v, %v", e.Item, err)
	}
	if b, err := os.ReadFile(s.Ownership.VersionsFile()); err != nil || strings.Contains(string(b), "4711") || strings.Contains(string(b), " old\n") {
		t.Errorf("%v:\n%s", err, b)
	}
}
