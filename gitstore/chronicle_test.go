package gitstore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// tangle makes lines that part, merge, lose checkpoints and get tags.
func tangle(t *testing.T, w *storetest.World, rnd *rand.Rand, acts int) *gitstore.Store {
	t.Helper()
	s := open(t, w, "r")
	lines, ids := []string{"main"}, []string{}
	for i := range acts {
		line := lines[rnd.IntN(len(lines))]
		switch k := rnd.IntN(8); {
		case len(ids) < 3 || k < 4:
			d := thesis(fmt.Sprint("thesis ", i))
			if d.Line = line; i%4 == 1 {
				d.Checkpoint.Trigger = sage.Recovery
			}
			got, err := s.Checkpoints.Save(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, got.ID)
		case k == 4:
			name := fmt.Sprint("line-", i)
			if _, err := s.Lines.Branch(ctx, name, ids[rnd.IntN(len(ids))]); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, name)
		case k == 5:
			if _, err := s.Lines.Switch(ctx, line, false, ""); err != nil {
				t.Fatal(err)
			}
			_, _ = s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: lines[rnd.IntN(len(lines))], Thesis: fmt.Sprint("both ", i)})
		case k == 6:
			_, _ = s.Checkpoints.Remove(ctx, []string{ids[rnd.IntN(len(ids))]})
		default:
			_, _ = s.Lines.Tag(ctx, fmt.Sprint("tag-", i), ids[rnd.IntN(len(ids))], false)
		}
	}
	return s
}

// What is hidden is what the lists of all lines together leave out.
func TestHiddenIsWhatListsLeaveOut(t *testing.T) {
	t.Parallel()
	seeds := uint64(3)
	if thorough {
		seeds = 20
	}
	for seed := range seeds {
		w := storetest.New(t)
		w.Repo("r")
		s := tangle(t, w, rand.New(rand.NewPCG(seed, 1)), 40)
		lines, err := s.Lines.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{1, 2, 5} {
			all, shown := map[string]bool{}, map[string]bool{}
			for _, l := range lines {
				for q, into := range map[*gitstore.Query]map[string]bool{{Line: l.Name, All: true}: all, {Line: l.Name, MaxCount: most}: shown} {
					recs, err := s.Commits.Log(ctx, *q)
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range recs {
						into[r.ID] = true
					}
				}
			}
			if got, err := s.Commits.Hidden(ctx, 0, most); err != nil || got != len(all)-len(shown) {
				t.Errorf("seed %d, %d a line: hidden %d %v, want %d of %d", seed, most, got, err, len(all)-len(shown), len(all))
			}
		}
	}
}
