package codeindex

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/prose/terms"
)

// Highlights are where a text has words of a query, in bytes and in order: in another
// inflection, too, and as parts of names. Words that say nothing (the, is) count only in a
// query that has no other.
func Highlights(query, text string) [][2]int { return words.Spans(text, telling(query)) }

// telling are the terms of a query that are worth showing.
func telling(query string) map[words.Term]bool {
	out := map[words.Term]bool{}
	ids := words.Identifiers(query)
	if said := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return len(terms.Of(id)) == 0 }); len(said) > 0 {
		ids = said
	}
	for _, t := range words.Of(strings.Join(ids, " ")) {
		out[t] = true
	}
	return out
}

// highlight notes which words of a query the hits have, as they stand there.
func (x *Index) highlight(v *view.View, query string, hits []Hit) {
	wanted := telling(query)
	for i := range hits {
		h := &hits[i]
		texts := []string{h.Path, h.Name, h.Signature, h.Doc}
		at, ok := slices.BinarySearchFunc(v.Files, h.Path, func(f view.File, path string) int { return cmp.Compare(f.Path, path) })
		if ok && v.Files[at].OID == h.Blob {
			if raw, err := x.content(v, &v.Files[at]); err == nil { // else it was changed meanwhile
				texts = append(texts, linesOf(raw, h.First, h.Last))
			}
		}
		for _, text := range texts {
			for _, s := range words.Spans(text, wanted) {
				word := text[s[0]:s[1]]
				if !slices.ContainsFunc(h.Highlights, func(o string) bool { return strings.EqualFold(o, word) }) {
					h.Highlights = append(h.Highlights, word)
				}
			}
		}
	}
}
