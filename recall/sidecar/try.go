package sidecar

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// Try has the sidecar answer as if an item named other requests, until it is closed. The item
// stays as it is, and so does what others search. The error is a gitstore.ErrNotFound if the
// sidecar does not have the item.
func (sc *Sidecar) Try(ctx context.Context, key string, when []string) error {
	was, err := sc.Index.Get(doc.ItemKey(key))
	if err != nil {
		return err
	}
	e, err := sc.Store.Knowledge.Item(ctx, key)
	if err == nil {
		err = e.Err
	}
	if was == nil && err == nil {
		err = &gitstore.NoItemError{ID: key}
	}
	if err != nil {
		return err
	}
	if err := sc.apart(ctx); err != nil {
		return err
	}
	it := *e.Item
	it.When, e.Item = when, &it
	d := itemDoc(e, items{sc}.room([]gitstore.ItemEntry{e}))
	d.Meta = *was // who wrote it, and what replaces it
	tips, err := sc.Index.Tips()
	if err != nil {
		return err
	}
	if err := sc.Index.Update(ctx, index.Change{From: tips, To: tips, Docs: []index.Doc{d}}); err != nil || sc.Model == nil {
		return err
	}
	some, _, err := sc.Index.Missing(ctx, FewVectors) // those of what is tried come first
	if err != nil || len(some) == 0 {
		return err
	}
	return sc.embed(ctx, some)
}

// apart opens the index once more, for this sidecar alone, and writes nothing to it.
func (sc *Sidecar) apart(ctx context.Context) error {
	sc.Close()
	sc.o.Indexes = nil
	if err := sc.Open(); err != nil {
		return err
	}
	sc.Index.Try()
	return sc.CatchUp(ctx, true) // where nothing can be written, nothing is kept
}
