package recall

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/index"
)

// fetchedMark ends the author of a document that was not written here. It stands behind
// what others can choose, so that nobody can leave it out.
const fetchedMark = " (fetched)"

// origins say who wrote items, by key; nil is of a store where all is one's own.
type origins map[string]gitstore.ItemOrigin

// origins asks who wrote what changed between two states of the knowledge.
func (sh *shelf) origins(ctx context.Context, since, tip string) origins {
	if sh.own {
		return nil
	}
	found, err := sh.store.ItemOrigins(ctx, since, tip)
	if err != nil && since != "" { // which is gone
		found, err = sh.store.ItemOrigins(ctx, "", tip)
	}
	sh.m.complain(err)
	if found == nil {
		found = map[string]gitstore.ItemOrigin{}
	}
	return found
}

// sign notes in a document who wrote it. What came from elsewhere is not given with every
// prompt, whatever it says: it counts like any other item until somebody here changes it.
func (o origins) sign(m *index.Meta) {
	if o == nil {
		return
	}
	from := o[keyID(m.Key)]
	m.Author = from.Author
	if !from.Own {
		m.Author += fetchedMark
		m.Always = false
	}
}

// trust says of what is recalled who wrote it, if that was not here.
func trust(m *index.Meta) string {
	author, fetched := strings.CutSuffix(m.Author, fetchedMark)
	if !fetched {
		return ""
	}
	return unconfirmed(author)
}

func unconfirmed(author string) string {
	const how = "from elsewhere, confirmed by nobody here"
	if author == "" {
		return how
	}
	return "by " + line(author, 60) + ", " + how
}

// Trust says of an item, a pinned note, a skill or a text of one who wrote it, if that
// was not here and nobody here stands for it; "" is that an agent may rely on it as on
// what its user says.
func (m *Memory) Trust(ctx context.Context, k Known) string {
	switch {
	case k.Own:
		return ""
	case k.meta != nil:
		return trust(k.meta)
	}
	from, err := gitstore.ItemOrigin{}, error(nil)
	if shelf, _, ok := strings.Cut(k.Key, "/"); ok {
		var all map[string]gitstore.ItemOrigin
		all, err = m.Store.ShelfOrigins(ctx, shelf)
		from = all[k.Key]
	} else {
		from, err = m.Store.ItemOrigin(ctx, k.Key)
	}
	m.complain(err)
	if from.Own {
		return ""
	}
	return unconfirmed(from.Author)
}

// trusted is a heading in brackets, with what Trust says.
func (m *Memory) trusted(ctx context.Context, k Known, what string) string {
	if t := m.Trust(ctx, k); t != "" {
		what = joinedBy(what, ", ", t)
	}
	if what == "" {
		return ""
	}
	return " (" + what + ")"
}
