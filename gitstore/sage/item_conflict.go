package sage

import (
	"cmp"
	"fmt"
	"slices"
)

// A Conflict is something in an item that a merge left for a person to settle.
type Conflict struct {
	Field    string `json:"field"` // source, scope.skills, content, deleted_by, ...
	Versions []any  `json:"versions"`
}

// String tells of the conflict in one line.
func (c Conflict) String() string {
	if c.Field == deletedKey {
		return "removed and edited at once"
	}
	return fmt.Sprintf("%s: %d versions disagree", c.Field, len(c.Versions))
}

const (
	deletedKey = "deleted_by"
	contentKey = "content"
)

// Conflicts are what merges left in an item for a person to settle; mostly none.
// Whoever gives a field a new value has settled it; [Item.Settle] does so for one that
// is right as it is.
func (it *Item) Conflicts() (out []Conflict) {
	for _, x := range it.Variants {
		if ptr := it.at(x.Key); ptr != nil {
			if list, ok := (printer{it.Variants}).open(x.Key, ptr); ok {
				out = append(out, Conflict{x.Key, list})
			}
		}
	}
	for _, f := range it.fields() {
		if scope, ok := f.ptr.(*Scope); ok {
			for _, x := range scope.Extra {
				out = append(out, splitValues(f.key+"."+x.Key, x.Value)...)
			}
		}
	}
	for _, x := range it.Extra {
		out = append(out, splitValues(x.Key, x.Value)...)
	}
	if list := Versions(it.Content); len(list) > 1 {
		out = append(out, Conflict{contentKey, plainList(list)})
	}
	if len(it.DeletedBy) > 0 {
		out = append(out, Conflict{deletedKey, plainList(it.DeletedBy)})
	}
	return out
}

// splitValues finds versions that disagree in a value of a key that nobody knows.
func splitValues(at string, v any) (out []Conflict) {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			out = append(out, splitValues(fmt.Sprintf("%s[%d]", at, i), x)...)
		}
	case map[string]any:
		if list, ok := v[variantsKey].([]any); ok && len(v) == 1 && len(list) > 1 {
			return []Conflict{{at, list}}
		}
		for _, x := range plainValue(v).([]Entry) {
			out = append(out, splitValues(at+"."+x.Key, x.Value)...)
		}
	case []Entry:
		return splitValues(at, entriesMap(v))
	}
	return out
}

func entriesMap(list []Entry) map[string]any {
	m := make(map[string]any, len(list))
	for _, x := range list {
		m[x.Key] = x.Value
	}
	return m
}

// at is where the value of a path of the front matter lies, or nil.
func (it *Item) at(path string) any {
	for _, f := range it.fields() {
		if f.key == path {
			return f.ptr
		}
		for _, g := range fieldsOf(f, it.Variants) {
			if f.key+"."+g.key == path {
				return g.ptr
			}
		}
	}
	return nil
}

// Settle says that fields are right as they are: of versions that disagree the one
// that is there counts. Content keeps its first version, if it was given none. Without
// fields it settles all.
func (it *Item) Settle(fields ...string) {
	all := len(fields) == 0
	it.Variants = slices.DeleteFunc(it.Variants, func(x Entry) bool { return all || slices.Contains(fields, x.Key) })
	if all || slices.Contains(fields, deletedKey) {
		it.DeletedBy = nil
	}
	if all || slices.Contains(fields, contentKey) {
		it.Content = tidyContent(cmp.Or(Versions(it.Content)[0], it.Content))
	}
}
