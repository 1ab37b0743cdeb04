package confirm

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Unconfirmed lists the checkpoints for which nobody here stands, newest first: those that
// came from elsewhere, and those that rules took out of a conversation. A merge that was
// settled since is left out, for what settled it says all that it said. It reads the
// commit index, and of history only what is new and the merges.
func (co *Confirmer) Unconfirmed(ctx context.Context) (ids []string, err error) {
	ids, merges, err := co.unconfirmed(ctx)
	if err != nil || len(merges) == 0 {
		return ids, err
	}
	of := co.commits.CommitRecords(merges)
	return slices.DeleteFunc(ids, func(id string) bool { return of[id].Thesis == sage.NeedsSynthesis }), nil
}

// unconfirmed lists all checkpoints for which nobody here stands; merges are those of them
// that something continues on every line.
func (co *Confirmer) unconfirmed(ctx context.Context) (ids, merges []string, err error) {
	snap, err := co.commits.Look(ctx).Get()
	if err != nil {
		return nil, nil, err
	}
	a, err := co.commits.Index(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	var list []commits.IndexedCommit
	for _, n := range a.List {
		if n.Tombstone || snap.Removed[n.ID] || snap.IsRefused(n.ID) || snap.IsOwn(n.ID) && (!n.ByRules || co.ownership.IsConfirmed(n.ID)) {
			continue
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b commits.IndexedCommit) int { return cmp.Compare(b.Recorded, a.Recorded) })
	newest := snap.Newest(&a)
	for _, n := range list {
		ids = append(ids, n.ID)
		if len(n.Parents) > 1 && !newest[n.ID] {
			merges = append(merges, n.ID)
		}
	}
	return ids, merges, nil
}
