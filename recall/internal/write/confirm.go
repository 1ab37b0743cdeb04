package write

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// Confirm stands for items that came from elsewhere: agents are no longer told that
// nobody here did, and their always counts. known are the ids for which somebody here
// stands already. The error is [gitstore.ErrNoPerson] if an agent wants it.
func (wr *Writer) Confirm(ctx context.Context, ids []string) (confirmed, known []string, err error) {
	var shown []gitstore.ItemEntry
	var all []knowledge.Known
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		k, err := wr.knowledge.Item(ctx, id)
		all = append(all, k)
		switch {
		case err != nil:
			return nil, nil, err
		case wr.provenance.IsConfirmed(k):
			known = append(known, id)
		default:
			confirmed, shown = append(confirmed, id), append(shown, k.ItemEntry)
		}
	}
	if len(shown) > 0 {
		err = wr.ConfirmShown(ctx, shown...)
	}
	if err == nil { // who stands for what an item says does not refuse it
		err = wr.provenance.Refuse(ctx, false, all)
	}
	return confirmed, known, err
}

// ConfirmShown stands for items as they were shown, and has searches know it.
func (wr *Writer) ConfirmShown(ctx context.Context, shown ...gitstore.ItemEntry) error {
	if err := wr.stores.Store.Review.ConfirmItems(ctx, shown...); err != nil {
		return err
	}
	var keys []string
	for _, e := range shown {
		keys = append(keys, e.Key)
	}
	wr.stores.Complain(wr.stores.LookAgain(ctx, keys))
	return nil
}

// ConfirmAll stands for all that is here, see [gitstore.Store.Review].ConfirmAll, and has searches
// know what that changes.
func (wr *Writer) ConfirmAll(ctx context.Context, checkpoints, items bool) (gitstore.Confirmation, error) {
	var changed []string
	if items {
		list, err := wr.stores.Store.Knowledge.Items(ctx)
		if err != nil {
			return gitstore.Confirmation{}, err
		}
		for _, e := range list {
			if e.Changed != nil {
				changed = append(changed, e.Key)
			}
		}
	}
	n, err := wr.stores.Store.Review.ConfirmAll(ctx, checkpoints, items)
	if err == nil && len(changed) > 0 {
		wr.stores.Complain(wr.stores.LookAgain(ctx, changed))
	}
	if err == nil && n.Checkpoints > 0 {
		wr.stores.Complain(wr.stores.WithSidecar(func(src *stores.Source) error { return src.LookAgainAt(ctx, nil) }))
	}
	return n, err
}

// ConfirmCheckpoint stands for a checkpoint, see [gitstore.Store.Review].Confirm, and has searches
// know it.
func (wr *Writer) ConfirmCheckpoint(ctx context.Context, rev string) (r gitstore.Record, now bool, err error) {
	confirmed, known, err := wr.stores.Store.Review.Confirm(ctx, rev)
	if err != nil {
		return r, false, err
	}
	if len(confirmed) > 0 {
		wr.stores.Complain(wr.stores.WithSidecar(func(src *stores.Source) error { return src.LookAgainAt(ctx, []string{confirmed[0].ID}) }))
	}
	r = append(confirmed, known...)[0]
	c, err := wr.stores.Store.Commits.Load(ctx, r.ID)
	if err == nil {
		err = wr.provenance.Refuse(ctx, false, nil, c)
	}
	return r, len(confirmed) > 0, err
}

// Undo takes an act back, see [gitstore.Store.Acts].Undo, and has searches know it.
func (wr *Writer) Undo(ctx context.Context, act gitstore.Act) (gitstore.Undone, error) {
	out, err := wr.stores.Store.Acts.Undo(ctx, act)
	if err == nil && len(out.Items) > 0 {
		wr.stores.Complain(wr.stores.LookAgain(ctx, out.Items))
	}
	return out, err
}
