package confirm

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
)

// Unconfirmed lists the checkpoints for which nobody here stands, newest first: those that
// came from elsewhere, and those that rules took out of a conversation. It reads the
// commit index, and of history only what is new.
func (co *Confirmer) Unconfirmed(ctx context.Context) (ids []string, err error) {
	snap, err := co.commits.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	a, err := co.commits.Index(ctx, snap)
	if err != nil {
		return nil, err
	}
	var list []commits.IndexedCommit
	for _, n := range a.List {
		if n.Tombstone || snap.Removed[n.ID] || snap.IsRefused(n.ID) || snap.IsOwn(n.ID) && (!n.ByRules || co.ownership.IsConfirmed(n.ID)) {
			continue
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b commits.IndexedCommit) int { return cmp.Compare(b.Recorded, a.Recorded) })
	for _, n := range list {
		ids = append(ids, n.ID)
	}
	return ids, nil
}
