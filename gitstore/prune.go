package gitstore

import (
	"context"
	"time"
)

// Prunable returns what `prune` would remove: on every line what is beyond the
// keep newest (keep > 0) or recorded before olderThan ago (> 0). Tips, what has
// a name, and where lines part or were merged stay.
func (s *Store) Prunable(ctx context.Context, keep int, olderThan time.Duration) ([]Record, error) {
	all, err := s.Log(ctx, Query{All: true})
	if err != nil {
		return nil, err
	}
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
	kept, err := s.kept(ctx, lines, keep)
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, r := range all {
		old := olderThan > 0 && s.o.Now().Sub(recorded(&r)) > olderThan
		beyond := keep > 0 && !kept[r.ID]
		if (old || beyond) && len(r.Names) == 0 && children[r.ID] < 2 && !kept["tip "+r.ID] {
			out = append(out, r)
		}
	}
	return out, nil
}

// kept are the keep newest of each line, and every line's newest.
func (s *Store) kept(ctx context.Context, lines []Line, keep int) (map[string]bool, error) {
	kept := map[string]bool{}
	for _, l := range lines {
		if l.Latest != nil {
			kept["tip "+l.Latest.ID] = true
		}
		if keep <= 0 {
			continue
		}
		recs, err := s.Log(ctx, Query{Revs: []string{l.Ref}, Max: keep})
		if err != nil {
			return nil, err
		}
		for _, r := range recs {
			kept[r.ID] = true
		}
	}
	return kept, nil
}
