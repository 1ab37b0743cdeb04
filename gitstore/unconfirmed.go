package gitstore

import (
	"cmp"
	"context"
	"slices"
)

// Unconfirmed lists the checkpoints for which nobody here stands, newest first: those that
// came from elsewhere, and those that rules took out of a conversation. It reads the
// commit index, and of history only what is new.
func (s *Store) Unconfirmed(ctx context.Context) (ids []string, err error) {
	snap, err := s.look(ctx).get()
	if err != nil {
		return nil, err
	}
	a, err := s.annals(ctx, snap)
	if err != nil {
		return nil, err
	}
	var list []annal
	for _, n := range a.list {
		if n.tombstone || snap.removed[n.id] || snap.isOwn(n.id) && (!n.byRules || s.isConfirmed(n.id)) {
			continue
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b annal) int { return cmp.Compare(b.recorded, a.recorded) })
	for _, n := range list {
		ids = append(ids, n.id)
	}
	return ids, nil
}
