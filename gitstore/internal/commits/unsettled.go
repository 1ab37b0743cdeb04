package commits

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// UnsettledKey is the line of a message that names the merge which was not settled when somebody
// saved on top of it: whoever goes on from there has the same to settle.
const UnsettledKey = "Unsettled"

// mostJoined bounds how many joins of joins are looked through.
const mostJoined = 8

// Unsettled is the merge whose theses nobody brought together by the time of one of some
// checkpoints, and which no other of them settled; nil is none. It is the checkpoint itself, one
// that it names, or, of a join, which nobody thought, one of what that was made of.
func (cs *Commits) Unsettled(ctx context.Context, list ...record.Record) *record.Record {
	return cs.unsettled(ctx, list, 0)
}

func (cs *Commits) unsettled(ctx context.Context, list []record.Record, depth int) *record.Record {
	open := make([]*record.Record, len(list))
	for i, r := range list {
		switch {
		case r.Thesis == sage.NeedsSynthesis:
			open[i] = &r
		case r.Unsettled != "":
			m, err := cs.CommitRecord(cs.rewritten.StandIn(r.Unsettled))
			if err == nil && m.Thesis == sage.NeedsSynthesis {
				open[i] = &m
			}
		case r.IsJoin() && depth < mostJoined:
			var sides []record.Record
			for _, p := range r.Parents {
				if side, err := cs.CommitRecord(p); err == nil {
					sides = append(sides, side)
				}
			}
			open[i] = cs.unsettled(ctx, sides, depth+1)
		}
	}
	for _, m := range open {
		if m != nil && !cs.isSettledBy(ctx, m.ID, list, open) {
			return m
		}
	}
	return nil
}

// isSettledBy reports whether one of some checkpoints contains a merge and has it settled.
func (cs *Commits) isSettledBy(ctx context.Context, merge string, list []record.Record, open []*record.Record) bool {
	for i, r := range list {
		if (open[i] == nil || open[i].ID != merge) && cs.IsAncestor(ctx, merge, r.ID) {
			return true
		}
	}
	return false
}
