package gitstore

import (
	"context"
	"slices"
	"time"
)

// Prunable returns what `prune` would remove: on every line what is beyond the
// keep newest (keep > 0) or recorded before olderThan ago (> 0). Tips, what has
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

// kept are the keep newest of each line, and every line's newest.
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
		n := 0
		h.annals.newest(tip, seen, walk+1, func(i int) bool {
			if r := h.list[i]; counts(r) {
				kept[r.ID] = kept[r.ID] || n < keep
				n++
			}
			return n < keep
		})
	}
	return kept
}
