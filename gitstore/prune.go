package gitstore

import (
	"context"
	"slices"
	"time"
)

// Prunable returns what `prune` would remove: on every line what is beyond the
// keep newest (keep > 0), of which recoveries go first, or recorded before olderThan ago (> 0). Tips, what has
// a name, and where lines part or were merged stay.
func (s *Store) Prunable(ctx context.Context, keep int, olderThan time.Duration) ([]Record, error) {
	ctx = s.viewing(ctx)
	h, err := s.chronicle(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Clone(h.list), func(r *Record) bool { return !counts(r) })
	children := map[string]int{}
	for _, r := range all {
		for _, p := range r.Parents {
			children[p]++
		}
	}
	lines, err := s.Lines(ctx)
	if err != nil {
		return nil, err
	}
	kept := h.kept(lines, keep)
	goes := func(r *Record) bool {
		old := olderThan > 0 && s.o.Now().Sub(recorded(r)) > olderThan
		beyond := keep > 0 && !kept[r.ID]
		return (old || beyond) && len(r.Names) == 0 && children[r.ID] < 2 && !kept["tip "+r.ID]
	}
	all = slices.DeleteFunc(all, func(r *Record) bool { return !goes(r) })
	out := make([]Record, len(all))
	for i, r := range all {
		out[i] = *r
	}
	return out, nil
}

// PrunableOf is [Store.Prunable] of the checkpoints of a skill, of which the keep newest
// stay on whatever line they are.
func (s *Store) PrunableOf(ctx context.Context, skill string, keep int, olderThan time.Duration) ([]Record, error) {
	out, err := s.Prunable(ctx, 1, 0) // all that may go at all
	if err != nil {
		return nil, err
	}
	of, err := s.Log(ctx, Query{Skill: skill, All: true})
	if err != nil {
		return nil, err
	}
	goes := map[string]bool{}
	for i := range of {
		old := olderThan > 0 && s.o.Now().Sub(recorded(&of[i])) > olderThan
		goes[of[i].ID] = old || keep > 0 && i >= keep
	}
	return slices.DeleteFunc(out, func(r Record) bool { return !goes[r.ID] }), nil
}

// kept are the keep newest of each line, recoveries behind what was saved, and every
// line's newest.
func (h *chronicle) kept(lines []Line, keep int) map[string]bool {
	kept, at, seen := map[string]bool{}, h.annals.ordinals(0), make([]int, len(h.list))
	for walk, l := range lines {
		if l.Latest != nil {
			kept["tip "+l.Latest.ID] = true
		}
		tip, ok := at[l.Tip]
		if !ok {
			continue
		}
		if keep > 0 {
			for _, i := range h.annals.kept(tip, seen, walk+1, keep, func(i int) bool { return counts(h.list[i]) }) {
				kept[h.list[i].ID] = true
			}
		}
	}
	return kept
}
