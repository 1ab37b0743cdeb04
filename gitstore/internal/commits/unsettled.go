package commits

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Unsettled is the merge whose theses nobody brought together by the time of one of some
// checkpoints, and which no other of them settled; nil is none. It is the checkpoint itself, one
// behind it that it names, or, of joins, which nobody thought, one of what those were made of: of
// the nearest 100, for somebody elsewhere may join joins to no end.
func (cs *Commits) Unsettled(ctx context.Context, list ...record.Record) *record.Record {
	var ends []record.Record
	var open []*record.Record
	for seen := map[string]bool{}; len(list) > 0 && len(seen) < 100; list = list[1:] {
		r := list[0]
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		at := cs.namedBy(ctx, r)
		switch {
		case at.Thesis == sage.NeedsSynthesis:
			open = append(open, &at)
		case at.IsJoin():
			for _, p := range at.Parents[:min(len(at.Parents), 100)] {
				if p, err := cs.SkipTombstones(p); err == nil && !seen[p] {
					side, _ := cs.CommitRecord(p) // one that cannot be read says nothing
					list = append(list, side)
				}
			}
			continue
		default:
			open = append(open, nil)
		}
		ends = append(ends, r)
	}
	asked := 0
next:
	for _, m := range open {
		for i, r := range ends {
			if m == nil {
				continue next
			}
			if open[i] != nil && open[i].ID == m.ID || asked == 100 {
				continue
			}
			if asked++; cs.IsAncestor(ctx, m.ID, r.ID) {
				continue next
			}
		}
		return m
	}
	return nil
}

// namedBy is what a checkpoint names as not settled, if that is behind it; else the checkpoint.
func (cs *Commits) namedBy(ctx context.Context, r record.Record) record.Record {
	if r.Unsettled == "" || !cs.repo.IsID(r.Unsettled) {
		return r
	}
	m, err := cs.CommitRecord(cs.rewritten.StandIn(r.Unsettled))
	if err != nil || !r.Own && !cs.IsAncestor(ctx, m.ID, r.ID) { // one of ours was made of what is behind it
		return r
	}
	return m
}
