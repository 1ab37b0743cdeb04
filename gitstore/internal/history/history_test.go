package history

import (
	"context"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Where two commits parted is what git says, and nothing is said where git would
// have to be asked.
func TestParted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := (&History{}).CommitGraph(context.Background())
		names := []string{}
		for i := range rapid.IntRange(2, 12).Draw(t, "commits") {
			var parents []string
			if i > 0 {
				parents = rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 2, rapid.ID).Draw(t, "parents")
			}
			id := string(rune('a' + i))
			h.records[id] = record.Record{ID: id, Parents: parents}
			names = append(names, id)
		}
		ids := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 2, 2, rapid.ID).Draw(t, "ids")
		base, ok := h.parted(ids)
		if !ok {
			return
		}
		if d := cmp.Diff([]string{base}, bestOf(h, ids[0], ids[1])); d != "" {
			t.Fatal(d)
		}
		if base == ids[0] || base == ids[1] {
			t.Fatalf("%s is an ancestor", base)
		}
	})
}

// bestOf are the common ancestors that are no ancestors of others.
func bestOf(h *CommitGraph, a, b string) (best []string) {
	of := func(id string) map[string]bool {
		seen := map[string]bool{}
		for todo := []string{id}; len(todo) > 0; todo = todo[1:] {
			if !seen[todo[0]] {
				seen[todo[0]] = true
				todo = append(todo, h.records[todo[0]].Parents...)
			}
		}
		return seen
	}
	x, y := of(a), of(b)
	var both []string
	for id := range x {
		if y[id] {
			both = append(both, id)
		}
	}
	for _, id := range both {
		if !slices.ContainsFunc(both, func(o string) bool { return o != id && of(o)[id] }) {
			best = append(best, id)
		}
	}
	slices.Sort(best)
	return best
}
