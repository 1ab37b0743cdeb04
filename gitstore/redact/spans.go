package redact

import (
	"cmp"
	"slices"
	"strings"
)

// A finder reports the secrets of one kind in a text.
type finder func(s string, found *spans)

// A span is a secret in a text.
type span struct {
	from, to int
	rank     int // of the finder; the lowest names a union
	rule     string
}

// spans collects the secrets of one text.
//
// Placeholders that the text already has are never cut: a span that touches one
// is widened to hold it, a span inside one is dropped. So each round leaves
// fewer bytes outside of placeholders than the one before, and rounds end.
type spans struct {
	list  []span
	holes []span // placeholders that are there already, in order
	rank  int

	finders []finder
	depth   int // how often the text was decoded
}

// scanInner scans a text that another one holds in another form. A placeholder that
// somebody wrote in that form is no secret.
func scanInner(s string, outer *spans) *spans {
	inner := newSpans(s, outer.finders)
	inner.depth = outer.depth + 1
	inner.scan(s)
	return inner
}

// scan has all finders look at s, the text that it was made for.
func (f *spans) scan(s string) {
	for i, find := range f.finders {
		f.rank = i
		find(s, f)
	}
	f.merge()
}

// newSpans returns what finders are to fill for s.
func newSpans(s string, finders []finder) *spans {
	found := &spans{finders: finders}
	for at := 0; ; {
		i := strings.Index(s[at:], placeholderStart)
		if i < 0 {
			return found
		}
		at += i
		n := placeholder(s[at:])
		if n == 0 {
			at++
			continue
		}
		found.holes = append(found.holes, span{from: at, to: at + n})
		at += n
	}
}

// add records s[from:to] as a secret.
func (f *spans) add(rule string, from, to int) {
	if from >= to {
		return
	}
	i, _ := slices.BinarySearchFunc(f.holes, from, func(h span, at int) int { return cmp.Compare(h.to, at+1) })
	if i < len(f.holes) && f.holes[i].from <= from && to <= f.holes[i].to {
		return
	}
	if i < len(f.holes) && f.holes[i].from < from {
		from = f.holes[i].from
	}
	j, _ := slices.BinarySearchFunc(f.holes, to, func(h span, at int) int { return cmp.Compare(h.to, at) })
	if j < len(f.holes) && f.holes[j].from < to {
		to = f.holes[j].to
	}
	if f.covered(from, to) {
		return
	}
	f.list = append(f.list, span{from: from, to: to, rank: f.rank, rule: rule})
}

// covered reports whether nothing but placeholders lies in from..to.
func (f *spans) covered(from, to int) bool {
	i, _ := slices.BinarySearchFunc(f.holes, from, func(h span, at int) int { return cmp.Compare(h.from, at) })
	for ; i < len(f.holes) && f.holes[i].from == from && from < to; i++ {
		from = f.holes[i].to
	}
	return from >= to
}

// merge sorts the spans and unites those that overlap.
func (f *spans) merge() {
	slices.SortFunc(f.list, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank), cmp.Compare(b.to, a.to))
	})
	out := f.list[:0]
	for _, s := range f.list {
		last := len(out) - 1
		if last < 0 || out[last].to <= s.from {
			out = append(out, s)
			continue
		}
		if s.rank < out[last].rank {
			out[last].rank, out[last].rule = s.rank, s.rule
		}
		out[last].to = max(out[last].to, s.to)
	}
	f.list = out
}

// placeholderStart begins what stands in the place of a secret.
const placeholderStart = "[redacted:"

// placeholder returns the length of the placeholder that s starts with, or 0.
func placeholder(s string) int {
	if !strings.HasPrefix(s, placeholderStart) {
		return 0
	}
	for i := len(placeholderStart); i < len(s) && i < len(placeholderStart)+65; i++ {
		switch c := s[i]; {
		case c == ']' && i > len(placeholderStart):
			return i + 1
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return 0
		}
	}
	return 0
}
