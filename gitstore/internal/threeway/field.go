package threeway

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// statuses are in the order in which one beats another.
var statuses = []string{"deprecated", "archived", "superseded", "done", "active", "pending"}

// A blender merges the fields of one file and notes what did not fit together.
type blender struct {
	single   bool // values that disagree may not stand beside one another
	disagree bool
}

// field merges what versions have under a key; nil is nothing.
func (b *blender) field(key string, base *yaml.Node, sides []*yaml.Node) *yaml.Node {
	changed := changes(base, sides)
	switch len(changed) {
	case 0:
		return base
	case 1:
		return changed[0]
	}
	if changed = slices.DeleteFunc(changed, func(n *yaml.Node) bool { return n == nil }); len(changed) == 1 {
		return changed[0] // an edit beats a removal
	}
	switch {
	case all(changed, isPlainMap):
		return b.mapping(base, changed)
	case all(changed, isList):
		return b.list(base, changed)
	}
	if one := decided(key, changed); one != nil {
		return one
	}
	return b.scalars(base, changed)
}

// changes are the different values that sides have other than the base's, by code.
func changes(base *yaml.Node, sides []*yaml.Node) (out []*yaml.Node) {
	seen := map[string]bool{code(base): true}
	for _, n := range sides {
		if c := code(n); !seen[c] {
			seen[c] = true
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(x, y *yaml.Node) int { return strings.Compare(code(x), code(y)) })
	return out
}

func all(list []*yaml.Node, is func(*yaml.Node) bool) bool {
	return !slices.ContainsFunc(list, func(n *yaml.Node) bool { return !is(n) })
}

func isList(n *yaml.Node) bool { return n.Kind == yaml.SequenceNode }

func isPlainMap(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && !isVariants(n) }

func isVariants(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == codec.VariantsKey && isList(n.Content[1]) && len(n.Content[1].Content) > 1
}

// mapping merges key by key: in the order of the base, then sorted.
func (b *blender) mapping(base *yaml.Node, sides []*yaml.Node) *yaml.Node {
	if base != nil && !isPlainMap(base) {
		base = nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, k := range keys(base, sides) {
		var values []*yaml.Node
		for _, n := range sides {
			values = append(values, get(n, k.Value))
		}
		if v := b.field(k.Value, get(base, k.Value), values); v != nil {
			out.Content = append(out.Content, k, v)
		}
	}
	return out
}

func keys(base *yaml.Node, sides []*yaml.Node) (out []*yaml.Node) {
	seen := map[string]bool{}
	collect := func(n *yaml.Node) {
		for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
			if k := n.Content[i]; !seen[k.Value] {
				seen[k.Value] = true
				out = append(out, k)
			}
		}
	}
	if collect(base); base == nil && len(sides) > 0 {
		first := slices.MinFunc(sides, func(x, y *yaml.Node) int { return strings.Compare(code(x), code(y)) })
		collect(first) // its order is as good as any
	}
	known := len(out)
	for _, n := range sides {
		collect(n)
	}
	slices.SortFunc(out[known:], func(x, y *yaml.Node) int { return strings.Compare(x.Value, y.Value) })
	return out
}

func get(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func (b *blender) list(base *yaml.Node, sides []*yaml.Node) *yaml.Node {
	var was []*yaml.Node
	if base != nil && isList(base) {
		was = base.Content
	}
	lists := make([][]*yaml.Node, len(sides))
	for i, n := range sides {
		lists[i] = n.Content
		if slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode }) {
			b.disagree = b.disagree || b.single
		}
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: merge.Set(was, lists, code)}
}

// decided are the keys whose value follows a rule.
func decided(key string, changed []*yaml.Node) *yaml.Node {
	if !all(changed, func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode }) {
		return nil
	}
	switch {
	case key == "added":
		return slices.MinFunc(changed, byTime)
	case key == "updated":
		return slices.MaxFunc(changed, byTime)
	case key == "status":
		return slices.MinFunc(changed, byStatus)
	case key == "min_reader" || key == "min_writer":
		return slices.MaxFunc(changed, byNumber)
	case all(changed, func(n *yaml.Node) bool { return n.ShortTag() == "!!bool" }):
		return slices.MaxFunc(changed, func(x, y *yaml.Node) int { return cmp.Or(strings.Compare(truth(x), truth(y)), byCode(x, y)) })
	}
	return nil
}

func truth(n *yaml.Node) string { return strings.ToLower(n.Value) } // "true" is behind "false"

func byCode(x, y *yaml.Node) int { return strings.Compare(code(x), code(y)) }

func byStatus(x, y *yaml.Node) int {
	rank := func(n *yaml.Node) int {
		if i := slices.Index(statuses, n.Value); i >= 0 {
			return i
		}
		return len(statuses)
	}
	return cmp.Or(cmp.Compare(rank(x), rank(y)), byCode(x, y))
}

// byTime compares dates and times. What is neither comes in the middle, by its
// text: it beats nothing that is one.
func byTime(x, y *yaml.Node) int {
	s, ok := when(x)
	t, ok2 := when(y)
	if ok && ok2 {
		return cmp.Or(s.Compare(t), byCode(x, y))
	}
	return byCode(x, y)
}

func when(n *yaml.Node) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, n.Value); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func byNumber(x, y *yaml.Node) int {
	a, _ := strconv.Atoi(x.Value)
	b, _ := strconv.Atoi(y.Value)
	return cmp.Or(cmp.Compare(a, b), byCode(x, y))
}

// scalars keeps values that disagree as a set.
func (b *blender) scalars(base *yaml.Node, sides []*yaml.Node) *yaml.Node {
	lists := make([][]*yaml.Node, len(sides))
	for i, n := range sides {
		lists[i] = members(n)
	}
	out := merge.Set(members(base), lists, code)
	slices.SortFunc(out, byCode)
	switch {
	case len(out) == 0:
		return nil
	case len(out) == 1:
		return out[0]
	}
	b.disagree = true
	if b.single {
		return out[0]
	}
	name := &yaml.Node{}
	name.SetString(codec.VariantsKey)
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{name, {Kind: yaml.SequenceNode, Tag: "!!seq", Content: out}}}
}

func members(n *yaml.Node) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case isVariants(n):
		return n.Content[1].Content
	}
	return []*yaml.Node{n}
}

// code is the same for two nodes if they mean the same, whatever they look like.
func code(n *yaml.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == yaml.ScalarNode:
		tag := n.ShortTag()
		if tag == "!!timestamp" { // with quotes or without
			tag = "!!str"
		}
		return "s" + tag + strconv.Quote(n.Value)
	}
	var parts []string
	for _, c := range n.Content {
		parts = append(parts, code(c))
	}
	if n.Kind == yaml.MappingNode {
		pairs := []string{}
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, parts[i]+":"+parts[i+1])
		}
		slices.Sort(pairs)
		return "m{" + strings.Join(pairs, ",") + "}"
	}
	return "l[" + strings.Join(parts, ",") + "]"
}
