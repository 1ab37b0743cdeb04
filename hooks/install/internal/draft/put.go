package draft

import (
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// Put adds a member at the end of a path of keys, with the objects that are
// missing on the way.
func (d *Draft) Put(path []string, key string, val any) error {
	if d.Root == nil {
		return d.begin(nest(path, jsonc.Object{{Key: key, Value: val}}))
	}
	n := d.Root
	for i, k := range path {
		child := n.Get(k)
		if child == nil {
			return d.Edit(jsonc.Insert(d.Src, d.Style, n, k, nest(path[i+1:], jsonc.Object{{Key: key, Value: val}})))
		}
		if child.Kind != '{' {
			return fmt.Errorf("'%s' is not an object", k)
		}
		n = child
	}
	return d.Edit(jsonc.Insert(d.Src, d.Style, n, key, val))
}

// begin writes the first object of an empty file.
func (d *Draft) begin(val any) error {
	return d.Edit([]edit.Splice{{From: len(d.Src), To: len(d.Src), Text: d.Style.Render(val, "") + d.Style.Newline}})
}

func nest(path []string, val jsonc.Object) jsonc.Object {
	for _, k := range slices.Backward(path) {
		val = jsonc.Object{{Key: k, Value: val}}
	}
	return val
}

// Replacement is the splice that replaces one value by another, laid out like the old one.
func (d *Draft) Replacement(n *jsonc.Node, v any) edit.Splice {
	st := d.Style
	st.Wide = len(n.Items) > 0 && jsonc.IsWide(d.Src, n)
	return edit.Splice{From: n.From, To: n.To, Text: st.Render(v, jsonc.LineIndent(d.Src, n.From))}
}

// Clip leaves the white space of the owner that stands beside our bytes.
func (d *Draft) Clip(s edit.Splice) edit.Splice {
	for _, o := range d.Ours {
		if from, to := max(s.From, o.From), min(s.To, o.To); d.Exact && from < to {
			return edit.Splice{From: from, To: to, Text: s.Text}
		}
	}
	return s
}
