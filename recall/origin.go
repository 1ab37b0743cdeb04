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
	switch {
	case !fetched:
		return ""
	case author == "":
		return "from elsewhere, confirmed by nobody here"
	}
	return "by " + line(author, 60) + ", from elsewhere, confirmed by nobody here"
}
