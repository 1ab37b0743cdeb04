package recall

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
)

// Confirm stands for items that came from elsewhere: agents are no longer told that
// nobody here did, and their always counts. known are the ids for which somebody here
// stands already.
func (m *Memory) Confirm(ctx context.Context, ids []string) (written []Written, known []string, err error) {
	var changes []ItemChange
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		from, err := m.Origin(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if from.Own {
			known = append(known, id)
			continue
		}
		changes = append(changes, ItemChange{ItemChange: gitstore.ItemChange{Key: id, Confirm: true}})
	}
	if len(changes) > 0 {
		written, err = m.WriteItems(ctx, "", changes...)
	}
	return written, known, err
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
