package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A CoreCandidate is a file that may be worth being a core file.
type CoreCandidate struct {
	codeindex.Weight
	Read  int     // checkpoints whose session read or changed it
	Score float64 // 0 to 1
}

// SuggestCore finds files on which much rests and that are much worked on, the first of them
// first: used by many files, changed by many commits, read for many checkpoints. Each of these
// counts a third, by its logarithm, as a share of the most that any file has. Files that are
// core, or in a folder that is, are left out.
func (m *Memory) SuggestCore(ctx context.Context, n int) ([]CoreCandidate, error) {
	core, err := m.Store.Knowledge.CoreFiles(ctx)
	if err != nil {
		return nil, err
	}
	read, err := m.filesRead(ctx)
	if err != nil {
		return nil, err
	}
	weights, err := m.Code().Weights(ctx)
	if err != nil {
		return nil, err
	}
	var most [3]int
	var out []CoreCandidate
	for _, w := range weights {
		most = [3]int{max(most[0], w.Users), max(most[1], w.Commits), max(most[2], read[w.Path])}
		if !slices.ContainsFunc(core, func(f gitstore.CoreFile) bool { return f.Path == w.Path || strings.HasPrefix(w.Path, f.Path+"/") }) {
			out = append(out, CoreCandidate{Weight: w, Read: read[w.Path]})
		}
	}
	for i := range out {
		c := &out[i]
		for k, n := range []int{c.Users, c.Commits, c.Read} {
			if n > 0 {
				c.Score += math.Log1p(float64(n)) / math.Log1p(float64(most[k])) / 3
			}
		}
		c.Score = math.Round(1000*c.Score) / 1000
	}
	slices.SortStableFunc(out, func(a, b CoreCandidate) int { return cmp.Compare(b.Score, a.Score) })
	out = slices.DeleteFunc(out, func(c CoreCandidate) bool { return c.Score == 0 })
	return out[:min(n, len(out))], nil
}

// filesRead counts the checkpoints whose sessions read or changed each file.
func (m *Memory) filesRead(ctx context.Context) (map[string]int, error) {
	records, err := m.Store.Commits.Log(ctx, gitstore.Query{All: true})
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	err = m.Store.Commits.Beginnings(ctx, records, func(_ gitstore.Record, c *sage.Checkpoint, err error) error {
		if err != nil {
			return nil // fsck tells of it
		}
		files := slices.Concat(c.FilesExplored, c.FilesChanged)
		slices.Sort(files)
		for _, f := range slices.Compact(files) {
			out[f]++
		}
		return nil
	})
	return out, err
}
