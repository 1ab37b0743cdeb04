package sidecar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// bringItems adds what changed of the knowledge. If the state that the sidecar
// reflects is gone, by a purge say, all items are given and the others taken out.
func (sc *Sidecar) bringItems(ctx context.Context, c *index.Change) error {
	was, to := c.From[gitstore.KnowledgeRef], c.To[gitstore.KnowledgeRef]
	if was == to {
		return nil
	}
	changed, removed, tip, err := sc.Store.ItemsSince(ctx, was)
	if errors.Is(err, gitstore.ErrNotFound) {
		changed, _, tip, err = sc.Store.ItemsSince(ctx, "")
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
	return err
}

// How much of one text is searched, in bytes; all of it is shown. A MiB takes up to five
// seconds to cut and to count, and its pieces some thousand vectors, for which the first
// search behind a fetch would wait. Of what came from elsewhere, and nobody here stands for,
// less is searched, of all of that mostForeign, and behind that of each its beginning.
const (
	mostSearched  = 256 << 10
	mostOfForeign = 16 << 10
	mostForeign   = 4 << 20
	leastSearched = 1 << 10
)

// A room tells how many bytes of an item of so many are searched, and whether it is one of
// those of which less is.
type room func(e gitstore.ItemEntry, size int) (most int, foreign bool)

// room is that of changed items, which are asked about one after the other.
func (sc *Sidecar) room(changed []gitstore.ItemEntry) room {
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

// share tells of what came from elsewhere, one after the other, how many bytes of so many are
// searched, beside what the sidecar has of that kind, but for some keys.
func (sc *Sidecar) share(kind string, but map[string]bool) func(size int) int {
	left := sync.OnceValue(func() int { return mostForeign - sc.foreign(kind, but) })
	taken := 0
	return func(size int) int {
		most := min(size, mostOfForeign, max(left()-taken, leastSearched))
		taken += most
		return most
	}
}

// says reports whether what an item says is what somebody here said. Who says otherwise
// elsewhere hides none of that: neither by superseding nor by contradicting it.
func (sc *Sidecar) says(e gitstore.ItemEntry) bool { return sc.Own || sc.Store.SaysOwn(e) }

// all is the room of an item that somebody here stands for.
func all(gitstore.ItemEntry, int) (most int, foreign bool) { return mostSearched, false }

// foreign is how much is searched of what came from elsewhere, but for some keys.
func (sc *Sidecar) foreign(kind string, but map[string]bool) (bytes int) {
	_ = sc.Index.Each(func(d *index.Meta) bool { // a damaged one is made anew
		if d.Kind == kind && !but[d.Key] {
			bytes += d.Part
		}
		return true
	})
	return bytes
}

// LookAgain lets items be found as they count now, since what somebody here stands for is
// another: they are searched as a whole or in part, and hide what they supersede or not.
func (sc *Sidecar) LookAgain(ctx context.Context, keys []string) error {
	tips, err := sc.Index.Tips()
	if err != nil {
		return err
	}
	c := index.Change{From: tips, To: tips}
	keys, confirmed := slices.Clone(keys), len(keys)
	for i := 0; i < len(keys); i++ {
		if slices.Contains(keys[:i], keys[i]) {
			continue
		}
		e, err := sc.Store.Item(ctx, keys[i])
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
		d := itemDoc(e, sc.room([]gitstore.ItemEntry{e}))
		if d.Vouch = gitstore.AlwaysSum(e); !back {
			d.Author = was.Author
		}
		for _, l := range e.Sent().Links {
			if l.Kind == sage.Supersedes {
				keys = append(keys, l.To)
			}
		}
		var by []string
		if i >= confirmed || e.Item.Status == sage.Superseded { // else nothing does, which takes long to find out
			if by, err = sc.supersededBy(ctx, e); err != nil {
				return err
			}
		}
		if by != nil {
			d.ReplacedBy = besideReplacement(d.ReplacedBy, by)
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
func (sc *Sidecar) again(ctx context.Context, e gitstore.ItemEntry) (gitstore.ItemEntry, error) {
	now, err := sc.Store.Item(ctx, e.Key)
	if err != nil || now.Blob != e.Blob {
		return e, ctx.Err()
	}
	return now, nil
}

// has reports whether the sidecar has a document as it is.
func (sc *Sidecar) has(d index.Meta) bool {
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
func (sc *Sidecar) supersededBy(ctx context.Context, e gitstore.ItemEntry) (keys []string, err error) {
	links, err := sc.Store.ItemLinks(ctx, e.Item.ID)
	own := sc.says(e)
	for _, l := range links {
		if l.Kind != gitstore.SupersededBy {
			continue
		}
		if by, err := sc.Store.Item(ctx, l.ID); !own || err == nil && sc.says(by) {
			keys = append(keys, doc.ItemKey(l.ID))
		}
	}
	return keys, err
}

// gone are the ids of items that the sidecar has and a list of all has not.
func (sc *Sidecar) gone(all []gitstore.ItemEntry) (ids []string, err error) {
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

// bringCheckpoints adds what changed of the checkpoints. Where lines only moved on
// it asks for what is new; else, as behind a removal or a purge, it compares all.
func (sc *Sidecar) bringCheckpoints(ctx context.Context, c *index.Change) error {
	was, to := withoutKnowledge(c.From), withoutKnowledge(c.To)
	if maps.Equal(was, to) {
		return nil
	}
	records, ok, err := sc.further(ctx, was, to)
	if err == nil && !ok {
		records, err = sc.compare(ctx, c)
	}
	if err != nil {
		return fmt.Errorf("look for new checkpoints: %w", err)
	}
	records = slices.DeleteFunc(records, func(r gitstore.Record) bool { return sc.hasCheckpoint(r.ID) })
	left, share := len(records), sc.share(doc.Checkpoint, nil)
	return sc.Store.Beginnings(ctx, records, func(r gitstore.Record, cp *sage.Checkpoint, err error) error {
		if left--; err == nil {
			c.Docs = append(c.Docs, sc.checkpointDoc(r, cp, share))
		} else {
			sc.complain(err) // one that cannot be read is not found; the others are
		}
		sc.reading(2*left + len(c.Docs))
		return nil
	})
}

// hasCheckpoint reports whether the sidecar has a checkpoint, which never changes.
func (sc *Sidecar) hasCheckpoint(id string) bool {
	was, err := sc.Index.Get(doc.CheckpointKey(id))
	return err == nil && was != nil && was.Blob == id
}

// LookAgainAt lets checkpoints be searched as a whole for which somebody here stands now: some,
// or with nil any.
func (sc *Sidecar) LookAgainAt(ctx context.Context, ids []string) error {
	var cutShort []string
	note := func(d *index.Meta) bool {
		if d != nil && d.Kind == doc.Checkpoint && d.Part >= leastSearched { // a short one was taken as a whole
			cutShort = append(cutShort, doc.ID(d.Key))
		}
		return true
	}
	for _, id := range ids {
		d, err := sc.Index.Get(doc.CheckpointKey(id))
		if err != nil {
			return err
		}
		note(d)
	}
	if ids == nil {
		if err := sc.Index.Each(note); err != nil {
			return err
		}
	}
	tips, err := sc.Index.Tips()
	if err != nil || len(cutShort) == 0 {
		return err
	}
	c := index.Change{From: tips, To: tips}
	for _, id := range cutShort {
		r, err := sc.Store.Record(ctx, id)
		if err != nil || !r.Own { // or it is gone
			continue
		}
		cp, err := sc.Store.Load(ctx, id)
		if err != nil {
			return err
		}
		c.Docs = append(c.Docs, sc.checkpointDoc(r, cp, nil))
	}
	return sc.put(ctx, c)
}

func withoutKnowledge(tips map[string]string) map[string]string {
	tips = maps.Clone(tips)
	delete(tips, gitstore.KnowledgeRef)
	return tips
}

// further lists the checkpoints by which refs moved on; ok is false if one did
// anything else.
func (sc *Sidecar) further(ctx context.Context, was, to map[string]string) (records []gitstore.Record, ok bool, err error) {
	if len(was) == 0 {
		return nil, false, nil
	}
	for ref, id := range to {
		if was[ref] == id {
			continue
		}
		if was[ref] == "" {
			return nil, false, nil
		}
		more, err := sc.Store.Log(ctx, gitstore.Query{Revs: []string{was[ref] + ".." + id}})
		if err != nil || !continued(more, was[ref], id) {
			return nil, false, ctx.Err() // a commit that is gone
		}
		records = append(records, more...)
	}
	for ref := range was {
		if to[ref] == "" {
			return nil, false, nil
		}
	}
	return records, true, nil
}

// continued reports whether a list is all between an old value of a ref and the new
// one. Tombstones, which no list shows, leave a gap.
func continued(list []gitstore.Record, old, tip string) bool {
	there := map[string]bool{old: true}
	for _, r := range list {
		there[r.ID] = true
	}
	return there[tip] && !slices.ContainsFunc(list, func(r gitstore.Record) bool {
		return slices.ContainsFunc(r.Parents, func(p string) bool { return !there[p] })
	})
}

// compare lists the checkpoints that the sidecar lacks, and takes out those that git
// does not show any more.
func (sc *Sidecar) compare(ctx context.Context, c *index.Change) (lacks []gitstore.Record, err error) {
	all, err := sc.Store.Log(ctx, gitstore.Query{All: true})
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	err = sc.Index.Each(func(d *index.Meta) bool {
		if d.Kind == doc.Checkpoint {
			has[doc.ID(d.Key)] = true
		}
		return true
	})
	for _, r := range all {
		if !has[r.ID] {
			lacks = append(lacks, r)
		}
		delete(has, r.ID)
	}
	for id := range has {
		c.Removed = append(c.Removed, doc.CheckpointKey(id))
	}
	return lacks, err
}

// checkpointDoc is a checkpoint as the sidecar has it: question and thesis, which
// say what it is about, and apart each statement that it rests on. Of one that came from
// elsewhere share tells how much is searched.
func (sc *Sidecar) checkpointDoc(r gitstore.Record, c *sage.Checkpoint, share func(size int) int) index.Doc {
	m := index.Meta{
		Key: doc.CheckpointKey(r.ID), Kind: doc.Checkpoint, Blob: r.ID, Title: c.CoreQuestion, Type: string(r.Trigger), Trigger: string(r.Trigger),
		Author: r.Author, Added: r.Time, Updated: r.Time, Tokens: c.TokenEstimate,
	}
	if c.Confidence != nil {
		m.Confidence = *c.Confidence
	}
	if c.Skill != "" {
		m.Skills = []string{c.Skill}
	}
	m.Paths = slices.Concat(c.FilesExplored, c.FilesChanged)
	for _, r := range c.CodeRefs {
		m.Paths = append(m.Paths, r.File)
	}
	all := doc.Statements(c)
	most := mostSearched
	if !sc.Own && !r.Own {
		most = share(len(c.Thesis) + len(strings.Join(all, "")))
		m.Part, m.Title = max(most, 1), cut.Bytes(m.Title, leastSearched)
		all = doc.Within(all, most)
	}
	apart := cut.First(all, doc.MostApart)
	d := index.Doc{Meta: m, Body: strings.Join(append([]string{c.Thesis}, all[len(apart):]...), "\n\n")}
	d.Body = strings.ToValidUTF8(cut.Bytes(d.Body, most), "")
	for _, s := range apart {
		d.Apart = append(d.Apart, strings.ToValidUTF8(s, ""))
	}
	return d
}
