package mend

import (
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// Asking makes an entry one that asks the server, if it is not that already.
func Asking(d *draft.Draft, s entry.Site, r *Result, want jsonc.Object) error {
	if entry.IsAsked(d.Src, s.Value) && alike(d, s.Value.Get("input"), want[3].Value.(jsonc.Object)) {
		return nil
	}
	if entry.IsAsked(d.Src, s.Value) {
		r.Changes = append(r.Changes, s.Name()+" now sends the server what it needs")
	} else {
		r.Changes = append(r.Changes, s.Name()+" now asks the server instead of "+entry.Shown(s.Program(d.Src)))
	}
	return d.Edit([]edit.Splice{d.Replacement(s.Value, want)})
}

// alike says whether an object has these members and no others, all of them texts.
func alike(d *draft.Draft, n *jsonc.Node, want jsonc.Object) bool {
	if n == nil || len(n.Items) != len(want) {
		return false
	}
	for _, m := range want {
		if n.Get(m.Key).Text(d.Src) != m.Value {
			return false
		}
	}
	return true
}
