package exchange

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// MadeOf are the checkpoints that hold all that a merge says: those that it brings together,
// and those that they have in common. A join counts only where the same parents make the
// same commit again, for anybody can call a commit so; another merge only where it was made
// here, for its author adds to it.
func (e *Exchange) MadeOf(ctx context.Context, id string) ([]string, error) {
	h := e.joinGraph(ctx)
	r, err := h.Record(id)
	switch {
	case err != nil:
		return nil, err
	case r.IsJoin():
		made, err := h.join(r.Parents)
		if err == nil && made.commit.ID != id {
			err = fmt.Errorf("%s is not what its parents make", record.Short(id))
		}
		return h.read, err
	case len(r.Parents) != 2 || !e.ownership.IsMixed(id):
		return nil, fmt.Errorf("%s may say something of its own", record.Short(id))
	}
	bases, err := e.history.Bases(ctx, r.Parents[0], r.Parents[1])
	for _, at := range append(bases, r.Parents...) {
		if at, err = e.commits.SkipTombstones(at); err != nil {
			return nil, err
		}
		h.read = append(h.read, at)
	}
	return h.read, err
}
