package merge

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Rule says when two items of a list are the same thing, and how two
// versions of it are merged over the one in the base, which is the zero value
// if the base has none.
type Rule[T any] struct {
	Key   func(T) string
	Merge func(x, a, b T) T
	tidy  func(T) T // brings an item into its normal form; nil if it always is
}

// A Shelf is a list of items by key.
type Shelf[T any] struct {
	Keys  []string
	Items map[string]T
}

// Shelve puts a list into a shelf. Items of the same key become one.
func (r Rule[T]) Shelve(list []T) Shelf[T] {
	s := Shelf[T]{Items: make(map[string]T, len(list))}
	for _, v := range list {
		if r.tidy != nil {
			v = r.tidy(v)
		}
		key := r.Key(v)
		if old, ok := s.Items[key]; ok {
			v = r.Merge(*new(T), old, v)
		} else {
			s.Keys = append(s.Keys, key)
		}
		s.Items[key] = v
	}
	return s
}

func (s Shelf[T]) equal(t Shelf[T]) bool {
	return maps.EqualFunc(s.Items, t.Items, func(v, w T) bool { return reflect.DeepEqual(v, w) })
}

// item merges what three shelves have under a key. Versions form a chain up to
// the point where both sides made one: that of the base, none, another.
func (r Rule[T]) item(key string, x, a, b Shelf[T]) (T, bool) {
	base, inBase := x.Items[key]
	v, inA := a.Items[key]
	w, inB := b.Items[key]
	switch {
	case inA && inB:
		return r.Merge(base, v, w), true
	case inA:
		return v, !inBase || !reflect.DeepEqual(v, base)
	case inB:
		return w, !inBase || !reflect.DeepEqual(w, base)
	}
	return base, false
}

func mergeItems[T any](r Rule[T], base, left, right []T) []T {
	x, a, b := r.Shelve(base), r.Shelve(left), r.Shelve(right)
	merged := make(map[string]T, len(x.Keys))
	var canon []string
	for _, k := range canonicalOrder(x.Keys, a.Keys, b.Keys) {
		if v, ok := r.item(k, x, a, b); ok {
			merged[k] = v
			canon = append(canon, k)
		}
	}
	order := pick(x.Keys, a.Keys, b.Keys, canon, slices.Equal, slices.Compare, [3]bool{
		a.equal(x), b.equal(x), a.equal(b),
	})
	var out []T
	for _, k := range order {
		out = append(out, merged[k])
	}
	return out
}

// canonicalOrder returns the keys of x in its order, then those of a and b
// alone, sorted.
func canonicalOrder(x, a, b []string) []string {
	keys := distinct(x, a, b)
	slices.Sort(keys[len(distinct(x)):])
	return keys
}

// pick chooses how a merged set is written, of which x, a and b are ways to
// write its versions, and canon is the one that no side is needed for. means
// says whether a means the same as x, b as x, and a as b.
//
// Where a side changed only the way of writing, it gives way to one that
// changed the meaning. Of two ways to write the base anew the smaller one wins,
// as canon may be the base's own; of two ways to write anything else, canon.
// Any other choice comes out differently in different orders of three sides.
func pick[W any](x, a, b, canon W, equal func(a, b W) bool, compare func(a, b W) int, means [3]bool) W {
	aIsX, bIsX, aIsB := means[0], means[1], means[2]
	switch {
	case aIsB && equal(a, b) || aIsX && equal(a, x) || aIsX && !bIsX:
		return b
	case bIsX && equal(b, x) || bIsX && !aIsX:
		return a
	case aIsX && bIsX && compare(a, b) < 0:
		return a
	case aIsX && bIsX:
		return b
	}
	return canon
}

var stringRule = Rule[string]{
	Key:   itself,
	Merge: func(_, a, _ string) string { return a },
}

func mergeStrings(x, a, b []string) []string { return mergeItems(stringRule, x, a, b) }

// distinct returns what the lists hold, each once, in order of appearance.
func distinct(lists ...[]string) (out []string) {
	seen := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// A text that both sides changed keeps the parts of both behind one another,
// sorted, with a separator between that the next merge takes apart again.
const (
	// textSeparator stands as a word of its own in a text of one line. A single
	// slash would be nicer, but people write "TCP / IP".
	textSeparator = "//"
	// traceSeparator stands on a line of its own in Markdown, where it is a
	// thematic break, and a rarer way to write one than ---.
	traceSeparator = "* * *"
)

// A joiner puts parts of texts together and takes them apart.
type joiner struct {
	between string
	split   func(string) []string
}

var (
	texts  = joiner{" " + textSeparator + " ", splitText}
	traces = joiner{"\n\n" + traceSeparator + "\n\n", splitTrace}
)

func (j joiner) merge(x, a, b string) string {
	if a == x || a == b {
		return b
	}
	if b == x {
		return a
	}
	px, pa, pb := j.split(x), j.split(a), j.split(b)
	canon := strings.Join(Set(px, [][]string{pa, pb}, itself), j.between)
	equal := func(a, b string) bool { return a == b }
	return pick(x, a, b, canon, equal, cmp.Compare[string], [3]bool{sameSet(pa, px), sameSet(pb, px), sameSet(pa, pb)})
}

// Set merges lists as sets of what has the same code. It returns what all sides kept of the
// base, in its order, then what any of them added, sorted by code; each once.
func Set[T any](base []T, sides [][]T, code func(T) string) (out []T) {
	was, held, added := map[string]bool{}, map[string]int{}, map[string]T{}
	for _, v := range base {
		was[code(v)] = true
	}
	for _, side := range sides {
		mine := map[string]bool{}
		for _, v := range side {
			if c := code(v); !mine[c] {
				mine[c] = true
				if held[c]++; !was[c] {
					added[c] = v
				}
			}
		}
	}
	done := map[string]bool{}
	for _, v := range base {
		if c := code(v); held[c] == len(sides) && !done[c] {
			done[c] = true
			out = append(out, v)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(added)) {
		out = append(out, added[c])
	}
	return out
}

func itself(s string) string { return s }

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}

func splitText(s string) (parts []string) {
	start := 0
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], textSeparator) && standsAlone(s, i, i+len(textSeparator)) {
			parts = appendPart(parts, strings.TrimSpace(s[start:i]))
			start = i + len(textSeparator)
		}
	}
	return appendPart(parts, strings.TrimSpace(s[start:]))
}

func standsAlone(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	return (from == 0 || unicode.IsSpace(before)) && (to == len(s) || unicode.IsSpace(after))
}

func splitTrace(s string) (parts []string) {
	var part []string
	for _, line := range append(strings.Split(s, "\n"), traceSeparator) {
		if strings.TrimSpace(line) != traceSeparator {
			part = append(part, line)
			continue
		}
		parts, part = appendPart(parts, strings.Trim(strings.Join(part, "\n"), "\n")), nil
	}
	return parts
}

func appendPart(parts []string, s string) []string {
	if strings.TrimSpace(s) == "" {
		return parts
	}
	return append(parts, s)
}
