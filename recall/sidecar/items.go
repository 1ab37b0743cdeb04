package sidecar

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// items brings the knowledge up to date: each item as a document, with who wrote it and
// what supersedes it.
type items struct{ *Sidecar }

// bring adds what changed of the knowledge. If the state that the sidecar
// reflects is gone, by a purge say, all items are given and the others taken out.
func (sc items) bring(ctx context.Context, c *index.Change) error {
	was, to := c.From[gitstore.KnowledgeRef], c.To[gitstore.KnowledgeRef]
	if was == to {
		return nil
	}
	changed, removed, tip, err := sc.Store.Knowledge.ItemsSince(ctx, was)
	if errors.Is(err, gitstore.ErrNotFound) {
		changed, _, tip, err = sc.Store.Knowledge.ItemsSince(ctx, "")
		if err == nil {
			removed, err = sc.gone(changed)
		}
	}
	for _, id := range removed {
		c.Removed = append(c.Removed, doc.ItemKey(id))
	}
	if err != nil {
		return err
	}
	newer, authors := supersedes(changed), sc.authors(ctx, was, tip)
	newerOwn := supersedes(slices.DeleteFunc(slices.Clone(changed), func(e gitstore.ItemEntry) bool { return len(e.Item.Links) == 0 || !sc.says(e) }))
	room := sc.room(changed)
	for _, e := range changed {
		if e.Err != nil && ctx.Err() == nil { // the same
			e, err = sc.again(ctx, e)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if e.Err != nil {
			c.Removed = append(c.Removed, doc.ItemKey(e.Item.ID))
			continue
		}
		d := itemDoc(e, room)
		sc.sign(ctx, authors, e, &d.Meta)
		by := newer[e.Item.ID]
		if sc.says(e) {
			by = newerOwn[e.Item.ID]
		}
		if by == nil && was != "" && e.Item.Status == sage.Superseded { // by one that did not change now
			by, err = sc.supersededBy(ctx, e)
		}
		if by != nil {
			d.ReplacedBy = besideReplacement(d.ReplacedBy, by)
		}
		if !sc.has(d.Meta) {
			c.Docs = append(c.Docs, d)
		}
	}
	if err == nil && len(removed) > 0 {
		err = sc.free(ctx, c, changed)
	}
	return err
}

// free looks again at the items that something replaced which is gone now, and that did not change
// themselves.
func (sc items) free(ctx context.Context, c *index.Change, changed []gitstore.ItemEntry) error {
	gone := func(key string) bool { return slices.Contains(c.Removed, key) }
	var replaced []string
	err := sc.Index.Each(func(d *index.Meta) bool {
		if d.Kind == doc.Item && !gone(d.Key) && slices.ContainsFunc(d.ReplacedBy, gone) {
			replaced = append(replaced, doc.ID(d.Key))
		}
		return true
	})
	for _, id := range replaced {
		if slices.ContainsFunc(changed, func(e gitstore.ItemEntry) bool { return e.Item.ID == id }) {
			continue
		}
		was, err := sc.Index.Get(doc.ItemKey(id))
		if err != nil {
			return err
		}
		e, err := sc.Store.Knowledge.Item(ctx, id)
		if err != nil || e.Err != nil || was == nil || e.Blob != was.Blob { // the next search looks at it
			continue
		}
		d, err := sc.docNow(ctx, e, true)
		if err != nil {
			return err
		}
		d.Author, d.Vouch = was.Author, was.Vouch
		c.Docs = append(c.Docs, d)
	}
	return err
}

// docNow is the document of one item that did not change itself, without who wrote it; ask is
// whether something may supersede it.
func (sc items) docNow(ctx context.Context, e gitstore.ItemEntry, ask bool) (d index.Doc, err error) {
	var by []string
	if ask {
		by, err = sc.supersededBy(ctx, e)
	}
	d = itemDoc(e, sc.room([]gitstore.ItemEntry{e}))
	if by != nil {
		d.ReplacedBy = besideReplacement(d.ReplacedBy, by)
	}
	return d, err
}

// A room tells how many bytes of an item of so many are searched, and whether it is one of
// those of which less is.
type room func(e gitstore.ItemEntry, size int) (most int, foreign bool)

// room is that of changed items, which are asked about one after the other.
func (sc items) room(changed []gitstore.ItemEntry) room {
	but := map[string]bool{}
	for _, e := range changed {
		but[doc.ItemKey(e.Item.ID)] = true
	}
	share := sc.share(doc.Item, but)
	return func(e gitstore.ItemEntry, size int) (int, bool) {
		if sc.says(e) {
			return all(e, size)
		}
		return share(size), true
	}
}

// says reports whether what an item says is what somebody here said. Who says otherwise
// elsewhere hides none of that: neither by superseding nor by contradicting it.
func (sc items) says(e gitstore.ItemEntry) bool { return sc.Own || sc.Store.Review.SaysOwn(e) }

// all is the room of an item that somebody here stands for.
func all(gitstore.ItemEntry, int) (most int, foreign bool) { return mostSearched, false }

// LookAgain lets items be found as they count now, since what somebody here stands for is
// another: they are searched as a whole or in part, and hide what they supersede or not.
func (sc *Sidecar) LookAgain(ctx context.Context, keys []string) error {
	tips, err := sc.Index.Tips()
	if err != nil {
		return err
	}
	c, knowledge := index.Change{From: tips, To: tips}, items{sc}
	keys, confirmed := slices.Clone(keys), len(keys)
	for i := 0; i < len(keys); i++ {
		if slices.Contains(keys[:i], keys[i]) {
			continue
		}
		e, err := sc.Store.Knowledge.Item(ctx, keys[i])
		if errors.Is(err, gitstore.ErrNotFound) { // somebody here stands for its removal
			c.Removed = append(c.Removed, doc.ItemKey(keys[i]))
			continue
		}
		if err != nil {
			return err
		}
		was, err := sc.Index.Get(doc.ItemKey(e.Item.ID))
		if err != nil {
			return err
		}
		back := was == nil && e.IsRemoved()              // nobody stands for its removal any more
		if !back && (was == nil || was.Blob != e.Blob) { // the next search looks at it
			continue
		}
		ask := i >= confirmed || e.Item.Status == sage.Superseded // else nothing does, which takes long to find out
		d, err := knowledge.docNow(ctx, e, ask)
		if err != nil {
			return err
		}
		if d.Vouch = gitstore.AlwaysSum(e); !back {
			d.Author = was.Author
		}
		for _, l := range e.Sent().Links {
			if l.Kind == sage.Supersedes {
				keys = append(keys, l.To)
			}
		}
		c.Docs = append(c.Docs, d)
	}
	if len(c.Docs)+len(c.Removed) == 0 {
		return nil
	}
	return sc.Index.Update(ctx, c)
}

// besideReplacement puts what supersedes an item in the place of what else replaces it,
// beside what it contradicts.
func besideReplacement(list, by []string) []string {
	return append(slices.DeleteFunc(list, func(key string) bool { return !doc.IsContradiction(key) }), by...)
}

// again reads an item that could not be read. What is still wrong with it is wrong with
// it.
func (sc items) again(ctx context.Context, e gitstore.ItemEntry) (gitstore.ItemEntry, error) {
	now, err := sc.Store.Knowledge.Item(ctx, e.Key)
	if err != nil || now.Blob != e.Blob {
		return e, ctx.Err()
	}
	return now, nil
}

// has reports whether the sidecar has a document as it is.
func (sc items) has(d index.Meta) bool {
	was, err := sc.Index.Get(d.Key)
	return err == nil && was != nil && was.Blob == d.Blob && was.Author == d.Author && was.Vouch == d.Vouch && was.Always == d.Always && slices.Equal(was.ReplacedBy, d.ReplacedBy) &&
		(was.Part == 0) == (d.Part == 0)
}

// supersedes tells of items which others in the list supersede them, as keys.
func supersedes(list []gitstore.ItemEntry) map[string][]string {
	by := map[string][]string{}
	for _, e := range list {
		for _, l := range e.Item.Links {
			if l.Kind == sage.Supersedes {
				by[l.To] = append(by[l.To], doc.ItemKey(e.Item.ID))
			}
		}
	}
	return by
}

// supersededBy asks git which items supersede one; nil is none that counts.
func (sc items) supersededBy(ctx context.Context, e gitstore.ItemEntry) (keys []string, err error) {
	links, err := sc.Store.Knowledge.ItemLinks(ctx, e.Item.ID)
	own := sc.says(e)
	for _, l := range links {
		if l.Kind != gitstore.SupersededBy {
			continue
		}
		if by, err := sc.Store.Knowledge.Item(ctx, l.ID); !own || err == nil && sc.says(by) {
			keys = append(keys, doc.ItemKey(l.ID))
		}
	}
	return keys, err
}

// gone are the ids of items that the sidecar has and a list of all has not.
func (sc items) gone(all []gitstore.ItemEntry) (ids []string, err error) {
	there := map[string]bool{}
	for _, e := range all {
		there[e.Item.ID] = true
	}
	err = sc.Index.Each(func(d *index.Meta) bool {
		if id := doc.ID(d.Key); d.Kind == doc.Item && !there[id] {
			ids = append(ids, id)
		}
		return true
	})
	return ids, err
}

// itemDoc is an item as the sidecar has it, as far as there is room for it.
func itemDoc(e gitstore.ItemEntry, of room) index.Doc {
	it, text := e.Item, e.Item.Text()
	most, foreign := of(e, len(text))
	m := index.Meta{
		Key: doc.ItemKey(it.ID), Kind: doc.Item, Blob: e.Blob, Title: it.Title(), Type: string(it.Type), Status: string(it.Status),
		Source: it.Source, Tokens: it.Tokens(), Added: it.Added, Updated: it.Updated,
		Skills: it.Scope.Skills, Paths: slices.Clone(it.Scope.Paths), Always: it.Scope.Always, User: it.Scope.User,
		Keywords: cut.First(it.Keywords, mostKeywords), Patterns: cut.First(it.Patterns, mostPatterns),
	}
	for _, r := range it.CodeRefs {
		m.Paths = append(m.Paths, r.File)
	}
	if it.Replacement != "" {
		m.ReplacedBy = []string{doc.ItemKey(it.Replacement)}
		m.Links = append(m.Links, doc.ItemKey(it.Replacement))
	}
	for _, l := range cut.First(it.Links, mostLinks) {
		m.Links = append(m.Links, doc.ItemKey(l.To))
	}
	for _, l := range it.Links {
		if l.Kind == sage.Contradicts {
			m.ReplacedBy = append(m.ReplacedBy, doc.Contradiction(doc.ItemKey(l.To)))
		}
	}
	if foreign {
		m.Part, m.Title = max(most, 1), cut.Bytes(m.Title, leastSearched)
	}
	d := index.Doc{Meta: m, Body: strings.ToValidUTF8(cut.Bytes(text, most), "")}
	for _, w := range cut.First(it.When, mostWhen) {
		d.Apart = append(d.Apart, strings.ToValidUTF8(cut.Bytes(w, maxWhen), ""))
	}
	return d
}

// What an item may have that is written here, as it is validated; what came from elsewhere
// may have any number.
const (
	mostKeywords, mostPatterns, mostLinks = 100, 20, 100

	mostWhen, maxWhen = 10, 200 // bytes
)
