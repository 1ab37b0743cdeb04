package ingest

import (
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// isNone reports whether somebody wrote that there is nothing: a list without items, or
// the word.
func isNone(n *tree.Node) bool {
	switch n.Kind {
	case tree.ListNode:
		return len(n.Vals) == 0 || len(n.Vals) == 1 && n.Vals[0].Kind == tree.ScalarNode && sage.IsNone(n.Vals[0].Text)
	case tree.MapNode:
		return len(n.Keys) == 0
	}
	return sage.IsNone(n.Text)
}

// takeNone takes the fields that are said to hold nothing out of what somebody wrote, and
// names them. The tool before us wrote empty lists for what nobody had said.
func takeNone(n *tree.Node, r *codec.Reader) (names []string) {
	if n.Kind != tree.MapNode || !r.Input {
		return nil
	}
	var c sage.Checkpoint
	for _, name := range sage.EmptiableFields() {
		v := n.Get(name)
		if _, text := c.FieldAt(name).(*string); v == nil || text || !isNone(v) {
			continue
		}
		n.Remove(name)
		names = append(names, name)
	}
	if a := n.Get("action"); a != nil && a.Kind == tree.MapNode {
		if v := a.Get("stakeholders"); v != nil && isNone(v) {
			a.Remove("stakeholders")
			names = append(names, "action_stakeholders")
		}
	}
	return names
}
