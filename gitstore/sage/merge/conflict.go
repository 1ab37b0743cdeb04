package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
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
	ContentKey = "content"
)

// Conflicts are what merges left in an item for a person to settle; mostly none.
// Whoever gives a field a new value has settled it; [SettleItem] does so for one that
// is right as it is.
func Conflicts(it *sage.Item) (out []Conflict) {
	for _, x := range it.Variants {
		if ptr := it.At(x.Key); ptr != nil {
			if list, ok := codec.Disagreeing(it.Variants, x.Key, ptr); ok {
				out = append(out, Conflict{x.Key, list})
			}
		}
	}
	for _, f := range it.Fields() {
		if scope, ok := f.Ptr.(*sage.Scope); ok {
			for _, x := range scope.Extra {
				out = append(out, splitValues(f.Key+"."+x.Key, x.Value)...)
			}
		}
	}
	for _, x := range it.Extra {
		out = append(out, splitValues(x.Key, x.Value)...)
	}
	if list := versions.Split(it.Content); len(list) > 1 {
		out = append(out, Conflict{ContentKey, tree.PlainList(list)})
	}
	if len(it.DeletedBy) > 0 {
		out = append(out, Conflict{deletedKey, tree.PlainList(it.DeletedBy)})
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
		if list, ok := v[variants].([]any); ok && len(v) == 1 && len(list) > 1 {
			return []Conflict{{at, list}}
		}
		for _, x := range tree.PlainValue(v).([]sage.Entry) {
			out = append(out, splitValues(at+"."+x.Key, x.Value)...)
		}
	case []sage.Entry:
		return splitValues(at, entriesMap(v))
	}
	return out
}

func entriesMap(list []sage.Entry) map[string]any {
	m := make(map[string]any, len(list))
	for _, x := range list {
		m[x.Key] = x.Value
	}
	return m
}

// Deprecate makes an item one that is no longer right; by, which may be "", counts in its place.
func Deprecate(it *sage.Item, by, reason string) {
	it.Status, it.Reason, it.Replacement = sage.Deprecated, reason, by
	SettleItem(it, "status", "reason", "replacement")
}

// SettleItem says that fields are right as they are: of versions that disagree the one
// that is there counts. Content keeps its first version, if it was given none. Without
// fields it settles all.
func SettleItem(it *sage.Item, fields ...string) {
	all := len(fields) == 0
	it.Variants = slices.DeleteFunc(it.Variants, func(x sage.Entry) bool { return all || slices.Contains(fields, x.Key) })
	if all || slices.Contains(fields, deletedKey) {
		it.DeletedBy = nil
	}
	if all || slices.Contains(fields, ContentKey) {
		it.Content = versions.Tidy(cmp.Or(versions.Split(it.Content)[0], it.Content))
	}
}
