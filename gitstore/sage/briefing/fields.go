package briefing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// fieldOrder is the order in which the fields of domains are shown, and what is in them:
// that of the schema. Others follow by alphabet.
var fieldOrder = []string{
	"competitive_moves", "company", "action", "timeline", "threat_level",
	"internal_state", "products", "gaps", "fragmentation_notes", "internal_gaps", "key_people",
	"problem", "symptoms", "reproduction", "constraints",
	"hypotheses", "hypothesis", "ruled_out", "solution_space", "approach", "tradeoffs", "viability",
	"theoretical_frameworks", "methodology_notes", "evidence_quality", "replication_status",
	"name", "role", "source_id", "methodology", "sample_size", "finding", "replicated", "quality",
	"sources", "core_claims", "limitations", "reasoning", "relevance", "status", "evidence", "notes",
}

// inOrder are the keys of a mapping: first those of order, then those of the schema, then
// the others.
func inOrder(m map[string]any, order []string) (keys []string) {
	taken := map[string]bool{} // what somebody sent may have a hundred thousand
	for _, list := range [][]string{order, fieldOrder, slices.Sorted(maps.Keys(m))} {
		for _, key := range list {
			if v, ok := m[key]; ok && !taken[key] && !isNothing(v) {
				taken[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// isNothing reports whether a value says nothing.
func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !isNothing(x) })
	case map[string]any:
		return len(inOrder(v, nil)) == 0
	}
	return false
}

// fieldLine is what the note calls a line of a field that was left out, one name for all.
const fieldLine = "line of other fields"

// fieldSections show the fields of a domain or a template, each below its name.
func fieldSections(m map[string]any, order []string) (out []section) {
	for _, key := range inOrder(m, order) {
		name := fieldName(key)
		out = append(out, section{heading: titled(name), one: fieldLine, items: fieldItems(m[key]), rank: rankFields})
	}
	return out
}

// fieldItems are the lines of a value: one for each part of it.
func fieldItems(v any) []string {
	switch v := plainOf(v).(type) {
	case []any:
		var items []string
		for _, x := range v {
			if !isNothing(x) {
				items = append(items, briefItem(FieldText(x)))
			}
		}
		return items
	case map[string]any:
		var items []string
		for _, key := range inOrder(v, nil) {
			items = append(items, briefItem(upper(fieldName(key))+": "+FieldText(v[key])))
		}
		return items
	case string:
		return wholeText(v)
	default:
		return []string{briefItem(FieldText(v))}
	}
}

// FieldText is a value of a domain's or a template's as people write it: what is in a list
// behind semicolons, of a mapping each key with its value, in the order of the schema.
func FieldText(v any) string {
	var parts []string
	switch v := plainOf(v).(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		for _, x := range v {
			if !isNothing(x) {
				parts = append(parts, FieldText(x))
			}
		}
	case map[string]any:
		for _, key := range inOrder(v, nil) {
			text := FieldText(v[key])
			if _, nested := plainOf(v[key]).(map[string]any); nested {
				text = "(" + text + ")"
			}
			parts = append(parts, fieldName(key)+": "+text)
		}
	default:
		return fmt.Sprint(v)
	}
	return strings.Join(parts, "; ")
}

// plainOf makes an ordered mapping a plain one.
func plainOf(v any) any {
	if list, ok := v.([]sage.Entry); ok {
		m := make(map[string]any, len(list))
		for _, e := range list {
			m[e.Key] = e.Value
		}
		return m
	}
	return v
}

// fieldName is a key as people write it: competitive_moves is competitive moves.
func fieldName(key string) string {
	return cmp.Or(legible.OneLine(strings.NewReplacer("_", " ", "-", " ").Replace(key)), "unnamed")
}

func titled(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		words[i] = upper(w)
	}
	return strings.Join(words, " ")
}

func upper(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
