package commits

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever the dates, nothing stands before its child, nothing is lost, and what
// needs no change stays as git lists it.
func TestChildrenFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "commits")
		recs := make([]record.Record, n)
		for i := range recs { // each has parents among those before it
			recs[i].ID = fmt.Sprint(i)
			for j := range i {
				if rapid.IntRange(0, i).Draw(t, "parent") == 0 {
					recs[i].Parents = append(recs[i].Parents, fmt.Sprint(j))
				}
			}
		}
		slices.Reverse(recs)
		inOrder := childrenFirst(recs)
		for i, at := range inOrder {
			if i != at {
				t.Fatalf("what was in order is not: %v", inOrder)
			}
		}
		recs = rapid.Permutation(recs).Draw(t, "listed")
		seen := map[string]bool{}
		for _, i := range childrenFirst(recs) {
			for _, p := range recs[i].Parents {
				if seen[p] {
					t.Fatalf("%s stands before its child %s", p, recs[i].ID)
				}
			}
			seen[recs[i].ID] = true
		}
		if len(seen) != n {
			t.Fatalf("%d of %d are left", len(seen), n)
		}
	})
}

// One date for many more commits than are looked at together.
func TestSorterHoldsOneDateTogether(t *testing.T) {
	const n = 3 * window
	now := time.Unix(1_800_000_000, 0)
	var got []string
	s := Sorter{Hand: func(r *record.Record) bool { got = append(got, r.ID); return true }}
	want := []string{}
	for i := range n { // listed with parents first, as it cannot be worse
		r := record.Record{ID: fmt.Sprint(i), Recorded: now}
		if i > 0 {
			r.Parents = []string{fmt.Sprint(i - 1)}
		}
		s.Add(r)
		want = append([]string{r.ID}, want...)
	}
	s.Add(record.Record{ID: "older", Recorded: now.Add(-time.Second)})
	s.Flush()
	if diff := cmp.Diff(append(want, "older"), got); diff != "" {
		t.Error(diff)
	}
}
