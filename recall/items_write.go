package recall

import (
	"context"
	"errors"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// An ItemChange is what is to become of one item. A new preference is the person's
// own, and lies in the store of the user, unless it is shared; all else that is new
// lies in the repository. What is there is changed where it lies.
type ItemChange struct {
	gitstore.ItemChange
	Shared bool
}

// A Written says what became of the changes in one store.
type Written struct {
	gitstore.ItemsSaved
	Own bool // in the user's own store
}

// WriteItems makes changes of items, in one commit for each of the stores that they
// belong to, without a subject with one that says what changed. The repository's is
// the first, and what was written stays if the other fails.
func (m *Memory) WriteItems(ctx context.Context, subject string, changes ...ItemChange) ([]Written, error) {
	byStore := map[*gitstore.Store][]gitstore.ItemChange{}
	for _, c := range changes {
		s, err := m.placeOf(ctx, c)
		if err != nil {
			return nil, err
		}
		byStore[s] = append(byStore[s], c.ItemChange)
	}
	var out []Written
	defer func() { m.follow(ctx, len(out) > 0) }()
	err := m.eachStore(ctx, func(s *gitstore.Store, own bool) error {
		if len(byStore[s]) == 0 {
			return nil
		}
		saved, err := s.WriteItems(ctx, subject, byStore[s]...)
		if err == nil {
			out = append(out, Written{saved, own})
		}
		return err
	})
	return out, err
}

// placeOf is the store that a change belongs to.
func (m *Memory) placeOf(ctx context.Context, c ItemChange) (*gitstore.Store, error) {
	id := c.Key
	if id == "" && c.Item != nil {
		id = c.Item.ID
	}
	s, _, err := m.keeper(ctx, id)
	switch {
	case err != nil && !errors.Is(err, gitstore.ErrNotFound):
		return nil, err
	case c.Item == nil, err == nil && (c.Replace || c.Base != ""):
		return s, err
	case err == nil && s == m.Store: // it would hide the new one
		return s, nil
	}
	if c.Item.Type == sage.Preference && !c.Shared {
		if own, err := m.own(ctx, true); own != nil || err != nil {
			return own, err
		}
	}
	return m.Store, nil
}

// follow brings the sidecar up to what was written, so that the next prompt finds it
// by its meaning too. What was acknowledged stands, whatever goes wrong here.
func (m *Memory) follow(ctx context.Context, written bool) {
	if !written {
		return
	}
	shelves, err := m.shelves(ctx)
	m.complain(err)
	defer shelves.close()
	for _, sh := range shelves {
		m.complain(sh.ready(ctx, false))
		st, err := sh.index.Status(ctx)
		m.complain(err)
		if st.Compact && m.Background != nil {
			m.Background()
		}
	}
}
