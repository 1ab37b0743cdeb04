package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

// A relation is how an item stands to another, in the other tool's words and names.
type relation struct{ word, to string }

// relate makes a link of a relation to what is there. A word that is no kind of links, and a
// relation to what is not there, are kept under a key of the item's Extra.
func relate(it *sage.Item, key string, r relation, there bool) {
	kind := sage.LinkKind(strings.ToLower(r.word))
	known := slices.Contains(sage.LinkKinds, kind)
	if !known {
		kind = sage.Related
	}
	if !known || !there {
		keep(it, key, legible.OneLine(r.word+": "+r.to))
	}
	if l := (sage.Link{Kind: kind, To: r.to}); there && !slices.Contains(it.Links, l) {
		it.Links = append(it.Links, l)
	}
}

// keep adds a text to a list of the item's Extra.
func keep(it *sage.Item, key, text string) {
	i := slices.IndexFunc(it.Extra, func(x sage.Entry) bool { return x.Key == key })
	if i < 0 {
		it.Extra = append(it.Extra, sage.Entry{Key: key, Value: []any{text}})
	} else if list := it.Extra[i].Value.([]any); !slices.Contains(list, any(text)) {
		it.Extra[i].Value = append(list, text)
	}
}

// relations are those of an item to what is written with it, by the names that are written:
// its links, and in place of those that say no more than related the words that were kept.
// Words about what is not written come last; a link that somebody removed here stays removed.
func relations(it *sage.Item, key string, names map[string]string) (here, elsewhere []relation) {
	var told []relation
	list, _ := plain.Extra(it.Extra, key).([]any)
	for _, v := range list {
		word, to, _ := strings.Cut(fmt.Sprint(v), ": ")
		told = append(told, relation{word, to})
	}
	written := map[string]bool{}
	for _, name := range names {
		written[name] = true
	}
	for _, l := range it.Links {
		to, ok := names[l.To]
		if !ok {
			continue
		}
		n := len(here)
		for _, r := range told {
			if l.Kind == sage.Related && r.to == to {
				here = append(here, r)
			}
		}
		if len(here) == n {
			here = append(here, relation{string(l.Kind), to})
		}
	}
	for _, r := range told {
		if !written[r.to] {
			elsewhere = append(elsewhere, r)
		}
	}
	return here, elsewhere
}
