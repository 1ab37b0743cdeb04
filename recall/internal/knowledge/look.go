package knowledge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/doc"
)

// ItemsUnder lists the pinned notes ("system"), the skills ("skills") or the texts of
// a skill ("skills/<name>") of the repository and of the person, by name. Of equal
// names the repository's counts.
func (kn *Collection) ItemsUnder(ctx context.Context, namespace string) ([]Known, error) {
	var out []Known
	err := kn.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		items, err := s.Knowledge.ItemsUnder(ctx, namespace)
		for _, e := range items {
			if !slices.ContainsFunc(out, func(k Known) bool { return k.Key == e.Key }) {
				out = append(out, Known{ItemEntry: e, Own: own})
			}
		}
		return err
	})
	out, _ = kn.admitted(ctx, out)
	slices.SortFunc(out, func(a, b Known) int { return strings.Compare(a.Key, b.Key) })
	return out, err
}

// ItemLog lists the changes of an item, newest first, also of one that is no longer
// there; "" is every change of what the memory's store knows. max bounds their number,
// 0 is all. The error is a [gitstore.NoItemError] if there never was one.
func (kn *Collection) ItemLog(ctx context.Context, key string, max int) ([]gitstore.Record, error) {
	if key == "" {
		return kn.stores.Store.Knowledge.ItemLog(ctx, "", max)
	}
	if s, _, err := kn.Keeper(ctx, key); err == nil {
		return s.Knowledge.ItemLog(ctx, key, max)
	}
	var out []gitstore.Record
	err := kn.stores.EachStore(ctx, func(s *gitstore.Store, _ bool) error {
		if len(out) > 0 {
			return nil
		}
		var err error
		if out, err = s.Knowledge.ItemLog(ctx, key, max); errors.Is(err, gitstore.ErrNotFound) {
			return nil
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = &gitstore.NoItemError{ID: key}
	}
	return out, err
}

// ItemLinks are the links of an item from both ends, across the repository and what is
// the person's own.
func (kn *Collection) ItemLinks(ctx context.Context, id string) ([]gitstore.ItemLink, error) {
	_, e, err := kn.Keeper(ctx, id)
	if err != nil {
		return nil, err
	}
	var near []gitstore.ItemEntry
	err = kn.stores.EachStore(ctx, func(s *gitstore.Store, _ bool) error {
		links, err := s.Knowledge.ItemLinks(ctx, id)
		if errors.Is(err, gitstore.ErrNotFound) {
			return kn.pointers(ctx, s, e.ItemEntry, &near)
		}
		for _, l := range links {
			near = appendLinked(near, l)
		}
		return err
	})
	return gitstore.LinksOf(e.Item, near), err
}

// pointers adds what in a store that lacks an item points to it, or is pointed to.
func (kn *Collection) pointers(ctx context.Context, s *gitstore.Store, of gitstore.ItemEntry, near *[]gitstore.ItemEntry) error {
	items, err := s.Knowledge.Items(ctx)
	for _, l := range gitstore.LinksOf(of.Item, items) {
		*near = appendLinked(*near, l)
	}
	return err
}

func appendLinked(near []gitstore.ItemEntry, l gitstore.ItemLink) []gitstore.ItemEntry {
	if l.Missing {
		return near
	}
	return append(near, gitstore.ItemEntry{Key: l.ID, Item: l.Item})
}

// LinksAround is ItemLinks within the repository for who has no time to read all items:
// who points to one the sidecar tells, and only those are read.
func (kn *Collection) LinksAround(ctx context.Context, k Known) ([]gitstore.ItemLink, error) {
	sources, err := kn.stores.Sources(ctx)
	if err != nil {
		return nil, err
	}
	defer sources.Close()
	src := sources[0]
	var keys []string
	err = src.CatchUp(ctx, false)
	if err == nil {
		err = src.Whole(ctx, func() (err error) { keys, err = src.Index.Pointing(ctx, doc.ItemKey(k.Item.ID)); return err })
	}
	if err != nil {
		return nil, err
	}
	for _, l := range k.Item.Links {
		keys = append(keys, doc.ItemKey(l.To))
	}
	keys = append(keys, doc.ItemKey(k.Item.Replacement))
	var near []gitstore.ItemEntry
	for _, key := range keys {
		if e, err := src.Store.Knowledge.Item(ctx, doc.ID(key)); err == nil {
			near = append(near, e)
		}
	}
	return gitstore.LinksOf(k.Item, near), ctx.Err()
}
