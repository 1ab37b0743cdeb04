package gitstore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Of many checkpoints from elsewhere the beginnings come in their order, and long lists end
// early; where they were saved they are whole.
func TestBeginnings(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	w.Repo("b")
	a := open(t, w, "a")
	var ids []string
	for i := range 40 {
		c := sage.Checkpoint{Thesis: fmt.Sprintf("Thesis %d holds.", i)}
		if i == 7 {
			c.KeyEvidence = slices.Repeat([]string{"slow"}, 40_000)
		}
		saved, err := a.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, saved.ID)
	}
	w.Git("b", "fetch", "-q", w.Path("a"), "+"+mainRef+":refs/sage/heads/theirs")
	for _, dir := range []string{"a", "b"} {
		s := open(t, w, dir)
		records, err := s.Commits.Records(ctx, ids)
		if err != nil || len(records) != len(ids) {
			t.Fatalf("%s: %d records, %v", dir, len(records), err)
		}
		records = slices.Repeat(records, 6) // so many are asked for in one go
		var got []string
		long := 0
		err = s.Commits.Beginnings(ctx, records, func(r gitstore.Record, c *sage.Checkpoint, err error) error {
			if err != nil {
				return err
			}
			long = max(long, len(c.KeyEvidence))
			got = append(got, c.ID+" "+c.Thesis)
			return nil
		})
		if err != nil || len(got) != 6*len(ids) {
			t.Fatalf("%s: %d of %d, %v", dir, len(got), 6*len(ids), err)
		}
		for i, g := range got {
			if n := i % len(ids); g != ids[n]+fmt.Sprintf(" Thesis %d holds.", n) {
				t.Errorf("%s: place %d has %s", dir, i, g)
			}
		}
		if whole := long == 40_000; whole != (dir == "a") || long == 0 {
			t.Errorf("%s: %d entries of the long list", dir, long)
		}
		if c, err := s.Commits.LoadBeginning(ctx, ids[3]); err != nil || c.Thesis != "Thesis 3 holds." {
			t.Errorf("%s: %v %v", dir, c, err)
		}
	}
}

// Who gives up is given no more, and what is not there is named.
func TestBeginningsEnd(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	save(t, s, "two")
	r, err := s.Commits.Record(ctx, "@")
	if err != nil {
		t.Fatal(err)
	}
	full, calls := errors.New("full"), 0
	for _, n := range []int{2, 300} {
		calls = 0
		err := s.Commits.Beginnings(ctx, slices.Repeat([]gitstore.Record{r}, n), func(gitstore.Record, *sage.Checkpoint, error) error { calls++; return full })
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("of %d: %d calls, %v", n, calls, err)
		}
	}
	gone := r
	gone.ID = strings.Repeat("1", 40)
	for _, n := range []int{1, 300} {
		var why error
		err := s.Commits.Beginnings(ctx, slices.Repeat([]gitstore.Record{gone}, n), func(_ gitstore.Record, _ *sage.Checkpoint, err error) error { why = err; return nil })
		if err != nil || !errors.Is(why, gitstore.ErrNotFound) {
			t.Errorf("of %d that are gone: %v, %v", n, err, why)
		}
	}
	if _, err := s.Commits.Records(ctx, []string{r.ID, gone.ID}); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("records of what is gone: %v", err)
	}
	if _, err := s.Commits.LoadBeginning(ctx, gone.ID); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("the beginning of what is gone: %v", err)
	}
}
