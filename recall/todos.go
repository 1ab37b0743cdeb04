package recall

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// PendingTodos lists what is still to be done here, and what of the person's own, by id.
// Of equal ids the repository's counts.
func (m *Memory) PendingTodos(ctx context.Context) ([]Known, error) {
	var out []Known
	err := m.eachStore(ctx, func(s *gitstore.Store, own bool) error {
		items, err := m.todosOf(ctx, s, own)
		for _, k := range items {
			if k.Err != nil || k.Item.Type != sage.Todo || k.Item.Status != sage.Pending {
				continue
			}
			if _, err := m.Store.Item(ctx, k.Key); s == m.Store || errors.Is(err, gitstore.ErrNotFound) {
				out = append(out, k)
			}
		}
		return err
	})
	slices.SortFunc(out, func(a, b Known) int { return strings.Compare(a.Item.ID, b.Item.ID) })
	return out, err
}

// todosOf are items of a store among which its pending todos are: those that the sidecar
// names, if it is up to date, else all that may be. Of 10,000 items that is a hundredth of
// the time.
func (m *Memory) todosOf(ctx context.Context, s *gitstore.Store, own bool) (out []Known, err error) {
	docs, ok := (&shelf{m: m, store: s, own: own}).pending(ctx)
	if !ok {
		items, err := s.ItemsNaming(ctx, string(sage.Todo)) // its type stands in the file
		for _, e := range items {
			out = append(out, Known{ItemEntry: e, Own: own})
		}
		return out, err
	}
	for _, d := range docs {
		e, err := s.Item(ctx, keyID(d.Key))
		if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			out = append(out, Known{e, own, d})
		}
	}
	return out, ctx.Err()
}

// pending are the todos that the sidecar holds for pending; false if it is not up to date,
// which nobody waits for here.
func (sh *shelf) pending(ctx context.Context) (docs []*index.Meta, ok bool) {
	tip, err := sh.store.KnowledgeTip(ctx)
	if err != nil || sh.open() != nil {
		return nil, false
	}
	defer shelves{sh}.close()
	if tips, err := sh.index.Tips(); err != nil || tips[gitstore.KnowledgeRef] != tip {
		return nil, false
	}
	docs, err = sh.index.InState(ctx, string(sage.Todo), string(sage.Pending))
	return docs, err == nil
}
