package history

import (
	"context"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

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

// changes says what a checkpoint changed, against the first that it continues, as a text of
// lines; "" of what is none. What cannot be compared is warned of.
func changes(ctx context.Context, a *app.App, m *recall.Memory) func(gitstore.Record) string {
	return func(r gitstore.Record) string {
		if r.Kind == gitstore.KindTombstone {
			return ""
		}
		before, err := m.Session.Before(ctx, r.ID, r.Parents)
		var d Comparison
		if err == nil {
			d, err = Compare(ctx, m, append(before, "")[0], r.ID)
		}
		if err != nil {
			a.Warn("%s: %v", a.Short(r.ID), err)
			return ""
		}
		return d.Text(a.Colored())
	}
}

// Loaded is a checkpoint with what is known of it beside its text.
type Loaded struct {
	*sage.Checkpoint
	Record   gitstore.Record
	Trace    *wire.Trace
	Withheld error // why an agent may not read it whole; see [provenance.Labeller.AdmitWhole]
}

// Load loads what a record is of.
func Load(ctx context.Context, m *recall.Memory, r gitstore.Record) (l Loaded, err error) {
	if l.Checkpoint, err = m.Store.Commits.Load(ctx, r.ID); err != nil {
		return l, err
	}
	trace, err := m.Store.Review.TraceCheckpoint(ctx, r.ID)
	if err != nil {
		return l, err
	}
	l.Trace, l.Withheld = wire.TraceOf(trace), m.Provenance.AdmitWhole(ctx, l.Checkpoint)
	r.Refused = r.Refused || m.Provenance.IsRefusedCheckpoint(ctx, l.Checkpoint) // by another id
	l.Record = r
	return l, nil
}

// Object is what --json prints of it.
func (l Loaded) Object(ctx context.Context, m *recall.Memory) (wire.Checkpoint, error) {
	if l.Withheld != nil {
		return wire.Checkpoint{}, l.Withheld
	}
	o := wire.CheckpointOf(l.Checkpoint, m.Store.Repo.RefStates(ctx, l.CodeRefs))
	o.Names, o.Removed, o.Refused, o.Trace = l.Record.Names, l.Record.Removed, l.Record.Refused, l.Trace
	return o, nil
}
