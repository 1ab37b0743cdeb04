package tree

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// PlainValue turns v into what an emitter takes: nil, bool, int64, float64,
// string, []any, and []Entry for a mapping, by key where v has no order.
func PlainValue(v any) any {
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return v
	case string:
		return strings.ToValidUTF8(v, "\ufffd")
	case int:
		return int64(v)
	case float32:
		return float64(v)
	case []string:
		return PlainList(v)
	case []any:
		return PlainList(v)
	case []sage.Entry:
		return PlainEntries(v)
	case map[string]any:
		entries := make([]sage.Entry, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, sage.Entry{Key: k, Value: v[k]})
		}
		return PlainEntries(entries)
	}
	return strings.ToValidUTF8(fmt.Sprint(v), "\ufffd")
}

func PlainList[T any](list []T) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, PlainValue(v))
	}
	return out
}

// PlainEntries drops an entry whose key came before: YAML has no place for it.
func PlainEntries(list []sage.Entry) []sage.Entry {
	out, seen := make([]sage.Entry, 0, len(list)), map[string]bool{}
	for _, x := range list {
		key := strings.ToValidUTF8(x.Key, "\ufffd")
		if !seen[key] {
			seen[key] = true
			out = append(out, sage.Entry{Key: key, Value: PlainValue(x.Value)})
		}
	}
	return out
}

// Finite writes numbers that JSON has no form for as text.
func Finite(v any) any {
	switch v := PlainValue(v).(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return formatFloat(v)
		}
	case []any:
		return legible.Each(v, Finite)
	case []sage.Entry:
		m := make(map[string]any, len(v))
		for _, e := range v {
			m[e.Key] = Finite(e.Value)
		}
		return m
	}
	return PlainValue(v)
}

// ValueText shows a text as it is and anything else as JSON.
func ValueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return legible.OrNone(v)
	}
	b, err := json.Marshal(Finite(v))
	if err != nil { // deeper than any stored value
		return fmt.Sprint(v)
	}
	return string(b)
}

// NodeOf is what a value is read from.
func NodeOf(v any) *Node {
	switch v := PlainValue(v).(type) {
	case []any:
		return &Node{Kind: ListNode, Vals: legible.Each(v, NodeOf)}
	case []sage.Entry:
		n := &Node{Kind: MapNode}
		for _, x := range v {
			n.Add(x.Key, NodeOf(x.Value))
		}
		return n
	case string:
		return &Node{Text: v}
	default:
		return &Node{Text: scalar(v), Plain: true}
	}
}
