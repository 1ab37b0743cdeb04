package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/terms"
)

// A Term is a 64-bit hash of a word as it is compared (FNV-1a). Of a million different words
// two share one with a probability of 3 in a hundred million.
type Term uint64

// Hash is the term of a word that is taken as it stands: of a name, case and all.
func Hash(s string) Term {
	h := Term(14695981039346656037)
	for i := range len(s) {
		h = (h ^ Term(s[i])) * 1099511628211
	}
	return h
}

// longest is how many bytes an identifier has at most: what is longer is data.
const longest = 100

// A Reader remembers the terms of identifiers that it met: code repeats them, and to take an
// inflection from a word costs several times as much as to look it up. What it remembers has
// no pointers, which the garbage collector would follow. It is for one goroutine.
type Reader struct {
	known map[Term]known // by the hash of an identifier
	terms []Term
}

// known are n terms from one on.
type known struct{ from, n uint32 }

// NewReader returns a Reader that has met nothing yet.
func NewReader() *Reader { return &Reader{known: map[Term]known{}} }

// remembered is how many identifiers a Reader keeps before it begins again.
const remembered = 300_000

// Each calls yield with the terms of each identifier of a text, in the order of the text. It
// must not keep the slice.
func (r *Reader) Each(text string, yield func([]Term)) {
	identifiers(text, func(from, to int) {
		id := text[from:to]
		h := Hash(id)
		k, ok := r.known[h]
		if !ok {
			if len(r.known) >= remembered {
				clear(r.known)
				r.terms = nil
			}
			list := termsOf(id)
			k = known{uint32(len(r.terms)), uint32(len(list))}
			r.known[h], r.terms = k, append(r.terms, list...)
		}
		yield(r.terms[k.from : k.from+k.n])
	})
}

// Of returns the terms of a text, each once, in the order in which they begin.
func Of(text string) (out []Term) {
	seen := map[Term]bool{}
	identifiers(text, func(from, to int) {
		for _, t := range termsOf(text[from:to]) {
			if !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
		}
	})
	return out
}

// Identifiers returns the identifiers of a text as they stand.
func Identifiers(text string) (out []string) {
	identifiers(text, func(from, to int) { out = append(out, text[from:to]) })
	return out
}

// identifiers calls yield with where each run of letters, digits and underscores begins and
// ends.
func identifiers(text string, yield func(from, to int)) {
	for i := 0; i < len(text); {
		if !within(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && within(text[i]) {
			i++
		}
		if i-from <= longest {
			yield(from, i)
		}
	}
}

// within reports whether a byte belongs to an identifier. All that is not ASCII does: the
// few signs among it make a word longer, and nothing else.
func within(c byte) bool { return isWithin[c] }

var isWithin = func() (in [256]bool) {
	for i := range in {
		c := byte(i)
		in[i] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= utf8.RuneSelf
	}
	return in
}()

// termsOf are those of an identifier: its parts, then the whole.
func termsOf(id string) (out []Term) {
	parts := Parts(id)
	for _, p := range parts {
		out = append(out, termOf(p))
	}
	if len(parts) > 1 {
		out = append(out, termOf(strings.Join(parts, "")))
	}
	return out
}

// termOf is that of a part, which is in lower case.
func termOf(part string) Term {
	if part[0] >= '0' && part[0] <= '9' {
		return Hash(part)
	}
	return Hash(terms.Stem(part))
}

// Parts returns the words that an identifier is made of, in lower case: at underscores, where
// a capital follows a small letter, and before the last of several capitals that a small
// letter follows, but for the s of a plural (URLs). Digits stay with the letters before them.
func Parts(id string) (out []string) {
	parts(id, func(from, to int) { out = append(out, strings.ToLower(id[from:to])) })
	return out
}

// parts calls yield with where each of them begins and ends.
func parts(id string, yield func(from, to int)) {
	from := -1 // where the part begins
	add := func(to int) {
		if from >= 0 && to > from {
			yield(from, to)
		}
		from = -1
	}
	var last rune
	for i, c := range id {
		switch {
		case c == '_' || c == '$' || c == utf8.RuneError:
			add(i)
		case from < 0:
			from = i
		case unicode.IsUpper(c) && !unicode.IsUpper(last):
			add(i)
			from = i
		case unicode.IsLower(c) && unicode.IsUpper(last):
			if at := i - utf8.RuneLen(last); at > from && !(c == 's' && !startsLower(id[i+1:])) {
				add(at)
				from = at
			}
		}
		last = c
	}
	add(len(id))
}

func startsLower(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(c)
}

// Spans are where a text has any of some terms, in bytes and in order: an identifier as a
// whole, or those of its parts. What touches is one.
func Spans(text string, wanted map[Term]bool) (out [][2]int) {
	add := func(from, to int) {
		if n := len(out) - 1; n >= 0 && out[n][1] == from {
			out[n][1] = to
		} else {
			out = append(out, [2]int{from, to})
		}
	}
	identifiers(text, func(from, to int) {
		id := text[from:to]
		if p := Parts(id); len(p) > 1 && wanted[termOf(strings.Join(p, ""))] {
			add(from, to)
			return
		}
		parts(id, func(i, j int) {
			if wanted[termOf(strings.ToLower(id[i:j]))] {
				add(from+i, from+j)
			}
		})
	})
	return out
}
