package commits

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Unsettled is the merge whose theses nobody brought together by the time of one of some
// checkpoints, and which no other of them settled; nil is none. It is the checkpoint itself, one
// that it names, or, of a join, which nobody thought, one of what that was made of.
func (cs *Commits) Unsettled(ctx context.Context, list ...record.Record) *record.Record {
	return unsettled(ctx, cs, list, 0)
}

// unsettled looks through no more than 8 joins of joins.
func unsettled(ctx context.Context, cs *Commits, list []record.Record, depth int) *record.Record {
	open := make([]*record.Record, len(list))
	for i, r := range list {
		if r.Unsettled != "" {
			r, _ = cs.CommitRecord(cs.rewritten.StandIn(r.Unsettled))
		}
		switch {
		case r.Thesis == sage.NeedsSynthesis:
			open[i] = &r
		case r.IsJoin() && depth < 8:
			var sides []record.Record
			for _, p := range r.Parents {
				side, _ := cs.CommitRecord(p) // one that cannot be read says nothing
				sides = append(sides, side)
			}
			open[i] = unsettled(ctx, cs, sides, depth+1)
		}
	}
next:
	for _, m := range open {
		for i, r := range list {
			if m == nil || (open[i] == nil || open[i].ID != m.ID) && cs.IsAncestor(ctx, m.ID, r.ID) {
				continue next
			}
		}
		return m
	}
	return nil
}
