package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/similarity"
)

// An ItemChange is what is to become of one item. A new preference is the person's
// own, and lies in the store of the user, unless it is shared, or to stay in this repository;
// all else that is new lies in the repository. What is there is changed where it lies.
type ItemChange struct {
	gitstore.ItemChange
	Shared  bool
	Targets []string // ids that it points to anew: a link that leads nowhere is a slip of the pen
}

// A Written says what became of the changes in one store.
type Written struct {
	gitstore.ItemsSaved
	Own  bool              // in the user's own store
	Near []similarity.Near // what was known and says nearly the same as what was written
}

// Items makes changes of items, in one commit for each of the stores that they
// belong to, without a subject with one that says what changed. The repository's is
// the first, and what was written stays if the other fails. A target that is not there
// is a [gitstore.NoItemError], and nothing is written.
func (wr *Writer) Items(ctx context.Context, subject string, changes ...ItemChange) (out []Written, err error) {
	byStore, said := map[*gitstore.Store][]gitstore.ItemChange{}, similarity.News{}
	var notes []string
	var items []*sage.Item
	for _, c := range changes {
		if err := wr.haveAll(ctx, c.Targets); err != nil {
			return nil, err
		}
		p, err := wr.placeOf(ctx, c)
		if err != nil {
			return nil, err
		}
		byStore[p.store] = append(byStore[p.store], said.Watch(c.ItemChange, p.was))
		notes = append(notes, wr.aside(ctx, c, p)...)
		if c.Item != nil && (p.was == nil || p.was.Text() != c.Item.Text()) {
			items = append(items, c.Item)
		}
	}
	embedding, end := context.WithCancel(ctx)
	defer end()
	model, unusable := wr.stores.Ahead(embedding, items)
	defer func() { wr.follow(ctx, model, unusable, out, said) }()
	err = wr.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		if len(byStore[s]) == 0 {
			return nil
		}
		saved, err := s.Knowledge.WriteItems(ctx, subject, byStore[s]...)
		if err == nil {
			if saved.Commit == "" && len(saved.Removed) > 0 { // nothing moves that would say so
				wr.stores.Complain(wr.stores.LookAgain(ctx, saved.Removed))
			}
			saved.Warnings, notes = append(append(saved.Warnings, remedy.Notes(wr.nowhere(ctx, saved.Dangling))...), remedy.Notes(notes)...), nil
			out = append(out, Written{ItemsSaved: saved, Own: own})
		}
		return err
	})
	return out, err
}

// A place is where a change belongs.
type place struct {
	store *gitstore.Store
	was   *sage.Item // the item that is there, if any
	hides *sage.Item // the person's own that will be hidden by it, if any
}

// placeOf is the store that a change belongs to.
func (wr *Writer) placeOf(ctx context.Context, c ItemChange) (place, error) {
	id := c.Key
	if id == "" && c.Item != nil {
		id = c.Item.ID
	}
	look := func(s *gitstore.Store) (gitstore.ItemEntry, error) { return s.Knowledge.Item(ctx, id) }
	if isNew := c.Item != nil && !c.Replace && c.Base == ""; isNew && c.Item.Type != sage.Preference {
		// One's own would give way to it wherever it lies.
		look = func(s *gitstore.Store) (gitstore.ItemEntry, error) { return s.Knowledge.ItemInPlace(ctx, id) }
	}
	s, k, err := wr.knowledge.KeeperBy(ctx, id, look)
	switch {
	case err != nil && !errors.Is(err, gitstore.ErrNotFound):
		return place{}, err
	case c.Item == nil, err == nil && (c.Replace || c.Base != ""):
		return place{store: s, was: k.Item}, err
	case err == nil && s == wr.stores.Store: // it would hide the new one
		return place{store: s, was: k.Item}, nil
	}
	if c.Item.Type == sage.Preference && !c.Shared && !c.Item.IsPrivate() {
		if own, err := wr.stores.MakeOwn(ctx); own != nil || err != nil {
			return place{store: own}, err
		}
	}
	return place{store: wr.stores.Store, hides: k.Item}, nil
}

// haveAll returns a [gitstore.NoItemError] for the first id that there is no item of.
func (wr *Writer) haveAll(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if _, _, err := wr.knowledge.Keeper(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// nowhere tells of the links that lead to no item of any store.
func (wr *Writer) nowhere(ctx context.Context, links []gitstore.DanglingLink) (out []string) {
	for _, l := range links {
		if wr.haveAll(ctx, []string{l.To}) != nil {
			out = append(out, l.String())
		}
	}
	return out
}

// aside is what a person should know of a change before it is made: which links will
// lead nowhere, and that an item hides one of the person's own.
func (wr *Writer) aside(ctx context.Context, c ItemChange, p place) (out []string) {
	switch {
	case c.Remove && !strings.Contains(c.Key, "/"):
		var from []string
		links, _ := wr.knowledge.ItemLinks(ctx, c.Key) // who cannot be asked is not told of
		for _, l := range links {
			if l.From {
				from = append(from, l.ID)
			}
		}
		if len(from) > 0 {
			out = append(out, fmt.Sprintf("links to '%s' are now broken: %s", c.Key, strings.Join(from, ", ")))
		}
	case p.hides != nil:
		out = append(out, fmt.Sprintf("this item overrides your own item '%s' in this repository", p.hides.ID))
	}
	return out
}

// follow brings the sidecar up to what was written, so that the next prompt finds it
// by its meaning too, and looks for what says nearly the same. What was acknowledged
// stands, whatever goes wrong here.
func (wr *Writer) follow(ctx context.Context, model embed.Embedder, unusable error, written []Written, said similarity.News) {
	if len(written) == 0 {
		return
	}
	wr.stores.Complain(unusable)
	sources, err := wr.stores.SourcesFor(ctx, model)
	wr.stores.Complain(err)
	defer sources.Close()
	for _, src := range sources {
		wr.stores.Complain(src.Ready(ctx, false, false))
		due, err := src.Index.Due(ctx)
		wr.stores.Complain(err)
		if due {
			src.Wake(ctx)
		}
	}
	for i := range written {
		written[i].Warnings = append(written[i].Warnings, remedy.Notes(wr.tooLong(written[i], said))...)
		written[i].Near, err = wr.similarity.Near(ctx, sources, written[i].Items, written[i].Own, said)
		wr.stores.Complain(err)
	}
}

// tooLong warns of items that no prompt is given in full.
func (wr *Writer) tooLong(w Written, said similarity.News) (out []string) {
	most := cmp.Or(wr.stores.Settings().RecallTokens, rank.DefaultMaxTokens)
	for _, e := range w.Items {
		if n := e.Item.Tokens(); said[e.Key] && e.Key == e.Item.ID && n > most {
			out = append(out, fmt.Sprintf("item '%s' has %d tokens, more than the %d of recall_max_tokens: only its beginning is recalled; split it", e.Key, n, most))
		}
	}
	return out
}
