package write

import (
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Prunable returns what `prune` would remove: on every line what is beyond the
// keep newest (keep > 0), of which recoveries go first, or recorded before olderThan ago (> 0). Tips, what has
// a name, and where lines part or were merged stay.
func (sv *Saver) Prunable(ctx context.Context, keep int, olderThan time.Duration) ([]record.Record, error) {
	ctx = sv.commits.Viewing(ctx)
	h, err := sv.commits.ListedCommits(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Clone(h.List), func(r *record.Record) bool { return !r.Counts() })
	children := map[string]int{}
	for _, r := range all {
		for _, p := range r.Parents {
			children[p]++
		}
	}
	lines, err := sv.lines.List(ctx)
	if err != nil {
		return nil, err
	}
	kept := h.Kept(lines, keep)
	goes := func(r *record.Record) bool {
		old := olderThan > 0 && sv.repo.Options.Now().Sub(commits.Recorded(r)) > olderThan
		beyond := keep > 0 && !kept[r.ID]
		return (old || beyond) && len(r.Names) == 0 && children[r.ID] < 2 && !kept["tip "+r.ID]
	}
	all = slices.DeleteFunc(all, func(r *record.Record) bool { return !goes(r) })
	out := make([]record.Record, len(all))
	for i, r := range all {
		out[i] = *r
	}
	return out, nil
}

// PrunableOf is [Saver.Prunable] of the checkpoints of a skill, of which the keep newest
// stay on whatever line they are.
func (sv *Saver) PrunableOf(ctx context.Context, skill string, keep int, olderThan time.Duration) ([]record.Record, error) {
	out, err := sv.Prunable(ctx, 1, 0) // all that may go at all
	if err != nil {
		return nil, err
	}
	of, err := sv.commits.Log(ctx, commits.Query{Skill: skill, All: true})
	if err != nil {
		return nil, err
	}
	goes := map[string]bool{}
	for i := range of {
		old := olderThan > 0 && sv.repo.Options.Now().Sub(commits.Recorded(&of[i])) > olderThan
		goes[of[i].ID] = old || keep > 0 && i >= keep
	}
	return slices.DeleteFunc(out, func(r record.Record) bool { return !goes[r.ID] }), nil
}
