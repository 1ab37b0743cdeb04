package sage

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// plainValue turns v into what an emitter takes: nil, bool, int64, float64,
// string, []any, and []Entry for a mapping, by key where v has no order.
func plainValue(v any) any {
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
		return plainList(v)
	case []any:
		return plainList(v)
	case []Entry:
		return plainEntries(v)
	case map[string]any:
		entries := make([]Entry, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, Entry{k, v[k]})
		}
		return plainEntries(entries)
	}
	return strings.ToValidUTF8(fmt.Sprint(v), "\ufffd")
}

func plainList[T any](list []T) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, plainValue(v))
	}
	return out
}

// plainEntries drops an entry whose key came before: YAML has no place for it.
func plainEntries(list []Entry) []Entry {
	out, seen := make([]Entry, 0, len(list)), map[string]bool{}
	for _, x := range list {
		key := strings.ToValidUTF8(x.Key, "\ufffd")
		if !seen[key] {
			seen[key] = true
			out = append(out, Entry{key, plainValue(x.Value)})
		}
	}
	return out
}
