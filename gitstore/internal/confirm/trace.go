package confirm

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
)

// A Trace says how something came here that somebody elsewhere wrote: what its author claims is
// not in it.
type Trace struct {
	ownership.Arrival           // zero of what came before arrivals were noted, or in a copy
	Signature         Signature // zero of what was made here
	Confirmed         time.Time // when this user confirmed it; zero is never, or not known
	Taken             bool      // it came from a source that this user trusts
}

// TraceItem is the trace of an item as it is in git.
func (co *Confirmer) TraceItem(ctx context.Context, e knowledge.ItemEntry) (Trace, error) {
	arrived, err := co.ownership.Arrivals()
	if err != nil || len(arrived) == 0 && co.knowledge.IsOwnItem(e) {
		return Trace{}, err
	}
	by, err := co.knowledge.AuthorOf(ctx, e)
	if err != nil || by.Here && by.Elsewhere == "" {
		return Trace{}, err
	}
	return co.trace(ctx, arrived, by.Commit, ownership.SumOf(e.Key, e.Sent(), false))
}

// TraceCheckpoint is the trace of a checkpoint.
func (co *Confirmer) TraceCheckpoint(ctx context.Context, id string) (Trace, error) {
	arrived, err := co.ownership.Arrivals()
	if err != nil || co.ownership.MadeByMe().Has(id) {
		return Trace{}, err
	}
	return co.trace(ctx, arrived, id, id)
}

func (co *Confirmer) trace(ctx context.Context, arrived map[string]ownership.Arrival, commit, sum string) (Trace, error) {
	signed, err := co.Signatures(ctx, commit)
	return Trace{arrived[commit], signed[commit], co.confirmedAt(sum), co.ownership.IsTaken(sum)}, err
}

// confirmedAt is when this user confirmed an id or sum, as far as that is still known.
func (co *Confirmer) confirmedAt(sum string) (at time.Time) {
	b, err := fsx.ReadOwn(co.knowledge.ConfirmsFile())
	if err != nil {
		return at
	}
	for raw := range strings.Lines(string(b)) {
		l, ok := knowledge.ParseConfirmLine(strings.TrimSuffix(raw, "\n"))
		if !ok || !slices.Contains(l.IDs, sum) {
			continue
		}
		if at = l.At; l.Back {
			at = time.Time{}
		}
	}
	return at
}
