package recall

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
)

// Confirm stands for items that came from elsewhere: agents are no longer told that
// nobody here did, and their always counts. known are the ids for which somebody here
// stands already. The error is [gitstore.ErrNoPerson] if an agent wants it.
func (m *Memory) Confirm(ctx context.Context, ids []string) (confirmed, known []string, err error) {
	var shown []gitstore.ItemEntry
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		k, err := m.Item(ctx, id)
		switch {
		case err != nil:
			return nil, nil, err
		case m.isConfirmed(k):
			known = append(known, id)
		default:
			confirmed, shown = append(confirmed, id), append(shown, k.ItemEntry)
		}
	}
	if len(shown) == 0 {
		return nil, known, nil
	}
	return confirmed, known, m.confirmShown(ctx, shown...)
}

// confirmShown stands for items as they were shown, and has searches know it.
func (m *Memory) confirmShown(ctx context.Context, shown ...gitstore.ItemEntry) error {
	if err := m.Store.ConfirmItems(ctx, shown...); err != nil {
		return err
	}
	var keys []string
	for _, e := range shown {
		keys = append(keys, e.Key)
	}
	m.complain(m.lookAgain(ctx, keys))
	return nil
}

// ConfirmAll stands for all that is here, see [gitstore.Store.ConfirmAll], and has searches
// know what that changes.
func (m *Memory) ConfirmAll(ctx context.Context, checkpoints, items bool) (gitstore.Confirmation, error) {
	var changed []string
	if items {
		list, err := m.Store.Items(ctx)
		if err != nil {
			return gitstore.Confirmation{}, err
		}
		for _, e := range list {
			if e.Changed != nil {
				changed = append(changed, e.Key)
			}
		}
	}
	n, err := m.Store.ConfirmAll(ctx, checkpoints, items)
	if err == nil && len(changed) > 0 {
		m.complain(m.lookAgain(ctx, changed))
	}
	if err == nil && n.Checkpoints > 0 {
		m.complain(m.withSidecar(func(sh *shelf) error { return sh.LookAgainAt(ctx, nil) }))
	}
	return n, err
}

// ConfirmCheckpoint stands for a checkpoint, see [gitstore.Store.Confirm], and has searches
// know it.
func (m *Memory) ConfirmCheckpoint(ctx context.Context, rev string) (r gitstore.Record, now bool, err error) {
	confirmed, known, err := m.Store.Confirm(ctx, rev)
	if err != nil {
		return r, false, err
	}
	if len(confirmed) > 0 {
		m.complain(m.withSidecar(func(sh *shelf) error { return sh.LookAgainAt(ctx, []string{confirmed[0].ID}) }))
	}
	return append(confirmed, known...)[0], len(confirmed) > 0, nil
}

// lookAgain has searches know what somebody here stands for now.
func (m *Memory) lookAgain(ctx context.Context, keys []string) error {
	return m.withSidecar(func(sh *shelf) error { return sh.LookAgain(ctx, keys) })
}

// withSidecar does something with what searches of the repository derive.
func (m *Memory) withSidecar(do func(*shelf) error) error {
	model, err := m.Embedder()
	if err != nil {
		return err
	}
	sh := m.shelf(m.Store, m.isOwn(), model)
	if err := sh.Open(); err != nil {
		return err
	}
	defer shelves{sh}.close()
	return do(sh)
}

// Undo takes an act back, see [gitstore.Store.Undo], and has searches know it.
func (m *Memory) Undo(ctx context.Context, act gitstore.Act) (gitstore.Undone, error) {
	out, err := m.Store.Undo(ctx, act)
	if err == nil && len(out.Items) > 0 {
		m.complain(m.lookAgain(ctx, out.Items))
	}
	return out, err
}

// isConfirmed reports whether this user stands for all that an item says, also that it is
// to be given with every prompt.
func (m *Memory) isConfirmed(k Known) bool {
	return m.isTrusted(k) && (k.Own || !k.Item.Scope.Always || m.Store.Vouched(gitstore.AlwaysSum(k.ItemEntry)))
}

// Origin tells who wrote an item as it is. What is in the person's own store is theirs.
func (m *Memory) Origin(ctx context.Context, id string) (gitstore.ItemOrigin, error) {
	s, k, err := m.keeper(ctx, id)
	if err != nil {
		return gitstore.ItemOrigin{}, err
	}
	from, err := s.ItemOrigin(ctx, k.Key)
	from.Own = from.Own || k.Own
	return from, err
}
