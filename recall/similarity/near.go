package similarity

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
)

// A Near is an item that was known and says nearly what another does that was just
// written.
type Near struct {
	knowledge.Known
	To      string // id of the one that was written
	From    string // who wrote it, as TrustShort says it
	Differs string // what makes both unlikely to hold: numbers, dates, negation, opposite, strength, names or order; "": they say the same

	cosine float64
}

const (
	// mostNews is how many items of one call are compared with what is known, a
	// millisecond each at 10,000 items: who saves more imports them.
	mostNews = 20
	// nearCandidates is how many items each leg brings that one is compared with.
	nearCandidates = 8
	// denialCost is how far a "not" moves two texts apart that are else the same: of
	// prose/compare/testdata/near.jsonl the pair that differs so has .850, the least of all that
	// contradict one another, where DedupThreshold is .90.
	denialCost = 0.05
	// wordsShared is what two texts must have in common where there is no model.
	wordsShared = 0.8
)

// News are the keys of items that are given another text.
type News map[string]bool

// Watch notes whether a change of the item that was there (nil is none) is news.
func (n News) Watch(c gitstore.ItemChange, was *sage.Item) gitstore.ItemChange {
	before := ""
	if was != nil {
		before = was.Text()
	}
	if c.Item != nil {
		n[cmp.Or(c.Key, c.Item.ID)] = c.Item.Text() != before
	}
	if edit := c.Edit; edit != nil {
		c.Edit = func(it *sage.Item) error {
			err := edit(it)
			n[c.Key] = it.Text() != before
			return err
		}
	}
	return c
}

// Near are the items that say nearly what some do that were written, in the user's own store
// or not, of all that are known.
func (co *Comparer) Near(ctx context.Context, l stores.Sources, written []gitstore.ItemEntry, own bool, said News) (out []Near, err error) {
	n, weighed := 0, 0
	for _, e := range written {
		if !said[e.Key] || e.Key != e.Item.ID || !isCurrent(string(e.Item.Status)) {
			continue
		}
		if n++; n > mostNews {
			return out, nil
		}
		found, err := co.NearTo(ctx, l, e.Item, own, &weighed)
		if err != nil {
			return out, err
		}
		out = append(out, slices.DeleteFunc(found, func(f Near) bool { _, asked := said[f.Item.ID]; return asked })...)
	}
	return out, nil
}

// NearTo compares an item with those that are near by meaning, or else by words, and adds how
// much text that was to weighed.
func (co *Comparer) NearTo(ctx context.Context, l stores.Sources, it *sage.Item, own bool, weighed *int) (out []Near, err error) {
	q := index.Query{
		Text: cut.Bytes(it.Text(), nearQuery), Kinds: []string{doc.Item}, Limit: nearCandidates, BM25: &rank.Keywords,
		Filter: func(d *index.Meta) bool {
			return d.Key != doc.ItemKey(it.ID) && isCurrent(d.Status) && sameSort(d.Type, string(it.Type))
		},
	}
	for _, src := range l {
		if src.Own == own && src.Model != nil {
			if q.Vector, err = src.Index.VectorOf(ctx, doc.ItemKey(it.ID)); err != nil {
				return nil, err
			}
		}
	}
	for _, src := range l {
		found, err := src.Index.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		// The nearest first: what stands behind mostNear of one source is not told of, and to
		// read and compare an item takes half a millisecond.
		slices.SortStableFunc(found.Hits, func(a, b index.Hit) int { return cmp.Compare(b.Cosine, a.Cosine) })
		for i, from := 0, len(out); i < len(found.Hits) && len(out)-from < mostNear; i++ {
			n, compared := co.weigh(ctx, src, it, &found.Hits[i])
			if *weighed += compared; n != nil {
				out = append(out, *n)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Near) int { return cmp.Compare(b.cosine, a.cosine) })
	out = slices.DeleteFunc(out[:min(len(out), mostNear)], func(n Near) bool {
		return len(co.provenance.Admit(ctx, []knowledge.Known{n.Known})[0].Withheld) > 0
	})
	for i := range out {
		out[i].From = co.provenance.TrustShort(ctx, out[i].Known)
	}
	return out, ctx.Err()
}

// nearQuery is how much of a text is looked for by words, in bytes, and mostNear how
// many items one is told to repeat.
const nearQuery, mostNear = 400, 3

// weigh returns the item of a hit if it says nearly what another does, and is not linked to
// it; else nil. compared is how much text that was.
func (co *Comparer) weigh(ctx context.Context, src *stores.Source, it *sage.Item, h *index.Hit) (n *Near, compared int) {
	same := cmp.Or(co.stores.Settings().Dedup, DedupThreshold)
	if h.Vector && h.Cosine < same-denialCost {
		return nil, 0
	}
	e, err := src.Store.Knowledge.Item(ctx, doc.ID(h.Meta.Key))
	if err != nil || e.Err != nil || linked(it, e.Item) {
		return nil, 0
	}
	compared = 1000 + len(it.Text()) + len(e.Item.Text())
	how, shared := compare.Statements(e.Item.Text(), it.Text())
	if how == compare.Other || how == compare.Same && h.Vector && h.Cosine < same || !h.Vector && shared < wordsShared {
		return nil, compared
	}
	if how == compare.Same {
		how = ""
	}
	k := knowledge.Known{ItemEntry: e, Own: src.Own, Doc: h.Meta}
	return &Near{Known: k, To: it.ID, Differs: how, cosine: h.Cosine}, compared
}

func linked(a, b *sage.Item) bool {
	to := func(id string) func(sage.Link) bool { return func(l sage.Link) bool { return l.To == id } }
	return slices.ContainsFunc(a.Links, to(b.ID)) || slices.ContainsFunc(b.Links, to(a.ID))
}

func isCurrent(status string) bool {
	return status == "" || status == string(sage.Active) || status == string(sage.Pending)
}

// sameSort reports whether items of two types may say the same: what is to be done is no
// fact, and what failed is none either.
func sameSort(a, b string) bool {
	apart := func(t string) bool { return t == string(sage.Todo) || t == string(sage.Failure) }
	return a == b || !apart(a) && !apart(b)
}
