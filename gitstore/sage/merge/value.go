package merge

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// Facets are a value of a map taken apart by kind, so that each kind is merged
// in its own way: texts part by part, lists as sets, maps key by key, and the
// rest (numbers, true and false, null) as a set that usually has one member. A
// facets with nothing in it is a key that is not there.
//
// A merge that finds different kinds, or different members of the rest, yields
// a mapping with the one key [variants] and a sorted list of them.
type facets struct {
	rest    []any
	text    *string
	list    *[]any
	mapping *map[string]facets
}

// variants is the key under which values stand that disagree, as in items.
const variants = codec.VariantsKey

func FacetsOf(v any) facets {
	switch v := v.(type) {
	case string:
		return facets{text: &v}
	case []any:
		list := make([]any, 0, len(v))
		for _, item := range v {
			list = append(list, FacetsOf(item).value())
		}
		return facets{list: &list}
	case []string:
		return FacetsOf(tree.PlainList(v))
	case map[string]any:
		if s, ok := facetsOfVariants(v); ok {
			return s
		}
		m := facetsByKey(v)
		return facets{mapping: &m}
	case []sage.Entry:
		m := make(map[string]any, len(v))
		for _, e := range v {
			m[e.Key] = e.Value
		}
		return FacetsOf(m)
	}
	return facets{rest: []any{tree.PlainValue(v)}}
}

func facetsByKey(v map[string]any) map[string]facets {
	m := make(map[string]facets, len(v))
	for k, item := range v {
		m[k] = FacetsOf(item)
	}
	return m
}

// facetsOfVariants reads what value writes for facets of several members.
// Anything else under that key is somebody's own mapping.
func facetsOfVariants(v map[string]any) (s facets, ok bool) {
	list, ok := v[variants].([]any)
	if !ok || len(v) != 1 || len(list) < 2 {
		return s, false
	}
	for _, item := range list {
		t := FacetsOf(item)
		s.rest = append(s.rest, t.rest...)
		s.text, s.list, s.mapping = or(s.text, t.text), or(s.list, t.list), or(s.mapping, t.mapping)
	}
	s.rest = sortedValues(Set(nil, [][]any{s.rest}, Encode))
	return s, Encode(s.value()) == Encode(v)
}

func or[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// value is the inverse of facetsOf.
func (s facets) value() any {
	all := slices.Clone(s.rest)
	if s.text != nil {
		all = append(all, *s.text)
	}
	if s.list != nil {
		all = append(all, *s.list)
	}
	if s.mapping != nil {
		all = append(all, values(*s.mapping))
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return map[string]any{variants: all}
}

func values(m map[string]facets) map[string]any {
	out := make(map[string]any, len(m))
	for k, s := range m {
		if !s.isNone() {
			out[k] = s.value()
		}
	}
	return out
}

func (s facets) isNone() bool {
	return len(s.rest) == 0 && s.text == nil && s.list == nil && s.mapping == nil
}

func mergeFacets(x, a, b facets) facets {
	return facets{
		rest:    sortedValues(Set(x.rest, [][]any{a.rest, b.rest}, Encode)),
		text:    mergeMaybe(x.text, a.text, b.text, texts.merge),
		list:    mergeMaybe(x.list, a.list, b.list, mergeLists),
		mapping: mergeMaybe(x.mapping, a.mapping, b.mapping, mergeMappings),
	}
}

// mergeMaybe merges what may be missing; as with items of a list, an edit beats
// a removal.
func mergeMaybe[T any](x, a, b *T, merge func(x, a, b T) T) *T {
	var base T
	if x != nil {
		base = *x
	}
	switch {
	case a != nil && b != nil:
		m := merge(base, *a, *b)
		return &m
	case a == nil && b == nil:
		return nil
	}
	only := or(a, b)
	if x != nil && Encode(*only) == Encode(base) {
		return nil
	}
	return only
}

// mergeLists leaves a list that only one side changed as it is: what occurs
// twice in somebody's data may mean it.
func mergeLists(x, a, b []any) []any {
	ex, ea, eb := encodeAll(x), encodeAll(a), encodeAll(b)
	byCode := map[string]any{}
	for _, list := range [][]any{x, a, b} {
		for _, v := range list {
			byCode[Encode(v)] = v
		}
	}
	canon := Set(ex, [][]string{ea, eb}, itself)
	order := pick(ex, ea, eb, canon, slices.Equal, slices.Compare, [3]bool{sameSet(ea, ex), sameSet(eb, ex), sameSet(ea, eb)})
	out := make([]any, 0, len(order))
	for _, code := range order {
		out = append(out, byCode[code])
	}
	return out
}

func encodeAll(list []any) (out []string) {
	for _, v := range list {
		out = append(out, Encode(v))
	}
	return out
}

func sortedValues(list []any) []any {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(Encode(a), Encode(b)) })
	return list
}

func mergeMappings(x, a, b map[string]facets) map[string]facets {
	m := make(map[string]facets, len(a))
	for _, side := range []map[string]facets{a, b} {
		for k := range side {
			if s := mergeFacets(x[k], a[k], b[k]); !s.isNone() {
				m[k] = s
			}
		}
	}
	return m
}

func mergeMaps(x, a, b map[string]any) map[string]any {
	m := values(mergeMappings(facetsByKey(x), facetsByKey(a), facetsByKey(b)))
	if len(m) == 0 {
		return nil
	}
	return m
}

// mergeEntries is mergeMaps for mappings whose order matters.
func mergeEntries(x, a, b []sage.Entry) (out []sage.Entry) {
	kx, mx := facetsInOrder(x)
	ka, ma := facetsInOrder(a)
	kb, mb := facetsInOrder(b)
	m := mergeMappings(mx, ma, mb)
	canon := slices.DeleteFunc(canonicalOrder(kx, ka, kb), func(k string) bool { _, ok := m[k]; return !ok })
	ex, ea, eb := Encode(mx), Encode(ma), Encode(mb)
	for _, k := range pick(kx, ka, kb, canon, slices.Equal, slices.Compare, [3]bool{ea == ex, eb == ex, ea == eb}) {
		out = append(out, sage.Entry{Key: k, Value: m[k].value()})
	}
	return out
}

// facetsInOrder takes entries apart. Values of one key become one.
func facetsInOrder(list []sage.Entry) (keys []string, m map[string]facets) {
	m = make(map[string]facets, len(list))
	for _, e := range list {
		f := FacetsOf(e.Value)
		if old, ok := m[e.Key]; ok {
			f = mergeFacets(facets{}, old, f)
		} else {
			keys = append(keys, e.Key)
		}
		m[e.Key] = f
	}
	return keys, m
}

// Encode writes v so that two values are equal if their codes are, NaN with
// itself too. Numbers come first, by their text.
func Encode(v any) string {
	switch v := v.(type) {
	case nil:
		return "0null"
	case bool:
		return "1" + strconv.FormatBool(v)
	case int64:
		return "2i" + strconv.FormatInt(v, 10)
	case float64:
		if math.IsNaN(v) {
			return "2fnan"
		}
		return "2f" + strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return "3" + strconv.Quote(v)
	case []any:
		var b strings.Builder
		for _, item := range v {
			b.WriteString(Encode(item) + ",")
		}
		return "4[" + b.String() + "]"
	case map[string]any:
		var b strings.Builder
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(k) + ":" + Encode(v[k]) + ",")
		}
		return "5{" + b.String() + "}"
	case facets:
		return Encode(v.value())
	case map[string]facets:
		return Encode(values(v))
	}
	return "6" + fmt.Sprint(v)
}
