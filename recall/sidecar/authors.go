package sidecar

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/index"
)

// authors say who wrote items, by key; nil is of a store where all is one's own.
type authors map[string]gitstore.ItemAuthor

// authors asks who wrote what changed between two states of the knowledge.
func (sc items) authors(ctx context.Context, since, tip string) authors {
	if sc.Own {
		return nil
	}
	found, err := sc.Store.Knowledge.ItemAuthors(ctx, since, tip)
	if err != nil && since != "" { // which is gone
		found, err = sc.Store.Knowledge.ItemAuthors(ctx, "", tip)
	}
	sc.complain(err)
	if found == nil {
		found = map[string]gitstore.ItemAuthor{}
	}
	return found
}

// sign notes in a document who wrote it, and by what it is known whether somebody here
// wants it with every prompt.
func (sc items) sign(ctx context.Context, by authors, e gitstore.ItemEntry, m *index.Meta) {
	if by == nil {
		return
	}
	from := by[e.Key]
	if from.Here && from.Elsewhere == "" && !sc.Store.Knowledge.IsOwnItem(e) { // it came before those that were asked for
		if whole, err := sc.Store.Knowledge.AuthorOf(ctx, e); err == nil {
			from = whole
		}
	}
	m.Author, m.Vouch = from.Name(), gitstore.AlwaysSum(e)
}
