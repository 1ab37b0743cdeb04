package history

import (
	"context"

	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

// Object is what --json prints of a checkpoint with what its commit knows.
func Object(ctx context.Context, m *recall.Memory, c *sage.Checkpoint, r gitstore.Record, trace *wire.Trace) wire.Checkpoint {
	o := wire.CheckpointOf(c, m.Store.Repo.RefStates(ctx, c.CodeRefs))
	o.Names, o.Removed, o.Refused, o.Trace = r.Names, r.Removed, r.Refused, trace
	return o
}

// A Comparison is of two checkpoints, with whose they are if they came from elsewhere and
// nobody here stands for them.
type Comparison struct {
	diff.Difference
	FromUnconfirmed bool `json:"from_unconfirmed,omitempty"`
	ToUnconfirmed   bool `json:"to_unconfirmed,omitempty"`

	Asides [2]string `json:"-"` // provenance.AsideOf the sides
}

// Compare compares two checkpoints; the first may be "", which is none.
func Compare(ctx context.Context, m *recall.Memory, from, to string) (d Comparison, err error) {
	var sides [2]*sage.Checkpoint
	for i, rev := range []string{from, to} {
		if rev == "" {
			continue
		}
		if sides[i], err = m.Store.Commits.Load(ctx, rev); err != nil {
			return Comparison{}, err
		}
		if err := m.Provenance.AdmitWhole(ctx, sides[i]); err != nil {
			return Comparison{}, err
		}
		d.Asides[i] = provenance.AsideOf(sides[i])
	}
	d.Difference = diff.Checkpoints(sides[0], sides[1])
	d.FromUnconfirmed, d.ToUnconfirmed = d.Asides[0] != "", d.Asides[1] != ""
	return d, nil
}
