package knowledge

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/recall/brief"
)

// RefStates say how the files are now that an item refers to, in the order of its
// references; nil of one in the person's own store, whose files may be anywhere.
func (kn *Collection) RefStates(ctx context.Context, k Known) []sage.RefState {
	if k.Own || len(k.Item.CodeRefs) == 0 {
		return nil
	}
	return kn.stores.Store.Repo.RefStates(ctx, k.Item.CodeRefs)
}

// RefsText is a list of what an item refers to, and how that is now; "" if to nothing.
func (kn *Collection) RefsText(ctx context.Context, k Known) string {
	text, states := "", kn.RefStates(ctx, k)
	for i, l := range briefing.RefLines(k.Item.CodeRefs, states) {
		text += "- " + brief.Line(l, 300) + "\n"
		if i < len(states) && states[i].Diff != "" {
			text += brief.Defuse(states[i].Diff) + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "\nCode:\n" + text
}
