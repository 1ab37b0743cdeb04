// Package spans collects where secrets stand in a text.
package spans

import (
	"cmp"
	"slices"
	"strings"
)

// A Finder reports the secrets of one kind in a text.
type Finder func(s string, found *Set)

// A Span is a secret in a text.
type Span struct {
	From, To int
	rank     int // of the finder; the lowest names a union
	Rule     string
}

// A Set collects the secrets of one text.
//
// Placeholders that the text already has are never cut: a span that touches one
// is widened to hold it, a span inside one is dropped. So each round leaves
// fewer bytes outside of placeholders than the one before, and rounds end.
type Set struct {
	List  []Span
	holes []Span // placeholders that are there already, in order
	rank  int

	finders []Finder
	Depth   int // how often the text was decoded
}

// Inner scans a text that another one holds in another form. A placeholder that
// somebody wrote in that form is no secret.
func Inner(s string, outer *Set) *Set {
	inner := New(s, outer.finders)
	inner.Depth = outer.Depth + 1
	inner.Scan(s)
	return inner
}

// Scan has all finders look at s, the text that it was made for.
func (f *Set) Scan(s string) {
	for i, find := range f.finders {
		f.rank = i
		find(s, f)
	}
	f.merge()
}

// New returns what finders are to fill for s.
func New(s string, finders []Finder) *Set {
	found := &Set{finders: finders}
	for at := 0; ; {
		i := strings.Index(s[at:], PlaceholderStart)
		if i < 0 {
			return found
		}
		at += i
		n := Placeholder(s[at:])
		if n == 0 {
			at++
			continue
		}
		found.holes = append(found.holes, Span{From: at, To: at + n})
		at += n
	}
}

// Add records s[from:to] as a secret.
func (f *Set) Add(rule string, from, to int) {
	if from >= to {
		return
	}
	i, _ := slices.BinarySearchFunc(f.holes, from, func(h Span, at int) int { return cmp.Compare(h.To, at+1) })
	if i < len(f.holes) && f.holes[i].From <= from && to <= f.holes[i].To {
		return
	}
	if i < len(f.holes) && f.holes[i].From < from {
		from = f.holes[i].From
	}
	j, _ := slices.BinarySearchFunc(f.holes, to, func(h Span, at int) int { return cmp.Compare(h.To, at) })
	if j < len(f.holes) && f.holes[j].From < to {
		to = f.holes[j].To
	}
	if f.covered(from, to) {
		return
	}
	f.List = append(f.List, Span{From: from, To: to, rank: f.rank, Rule: rule})
}

// covered reports whether nothing but placeholders lies in from..to.
func (f *Set) covered(from, to int) bool {
	i, _ := slices.BinarySearchFunc(f.holes, from, func(h Span, at int) int { return cmp.Compare(h.From, at) })
	for ; i < len(f.holes) && f.holes[i].From == from && from < to; i++ {
		from = f.holes[i].To
	}
	return from >= to
}

// merge sorts the spans and unites those that overlap.
func (f *Set) merge() {
	slices.SortFunc(f.List, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.rank, b.rank), cmp.Compare(b.To, a.To))
	})
	out := f.List[:0]
	for _, s := range f.List {
		last := len(out) - 1
		if last < 0 || out[last].To <= s.From {
			out = append(out, s)
			continue
		}
		if s.rank < out[last].rank {
			out[last].rank, out[last].Rule = s.rank, s.Rule
		}
		out[last].To = max(out[last].To, s.To)
	}
	f.List = out
}

// PlaceholderStart begins what stands in the place of a secret.
const PlaceholderStart = "[redacted:"

// Placeholder returns the length of the placeholder that s starts with, or 0.
func Placeholder(s string) int {
	if !strings.HasPrefix(s, PlaceholderStart) {
		return 0
	}
	for i := len(PlaceholderStart); i < len(s) && i < len(PlaceholderStart)+65; i++ {
		switch c := s[i]; {
		case c == ']' && i > len(PlaceholderStart):
			return i + 1
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return 0
		}
	}
	return 0
}
