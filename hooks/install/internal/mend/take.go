package mend

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/toml"
)

// Take removes an entry, and the containers that it leaves empty if they are
// ours.
func Take(d *draft.Draft, s entry.Site) error {
	if s.Table != nil {
		return takeTable(d, s.Table)
	}
	level := len(s.On) - 1
	for level > 0 && isAlone(s.On[level]) && drops(d, s, level) {
		level--
	}
	list := jsonc.Remove(d.Src, s.On[level], s.At[level])
	for i := range list {
		list[i] = d.Clip(list[i])
	}
	return d.Edit(list)
}

// drops says whether a container goes when it is empty: if we made it, or, as
// far as nobody knows, if it is of a kind that only entries call for.
func drops(d *draft.Draft, s entry.Site, level int) bool {
	if d.Exact {
		return d.IsOurs(s.On[level])
	}
	return s.Event != "" || level == 1
}

// takeTable removes the server: what stands from its header to its last key, and the
// same of tables in it. Comments behind that belong to what follows.
func takeTable(d *draft.Draft, t *entry.Table) error {
	if t.Inline {
		return fmt.Errorf("server '%s' is at line %d without a table header, where it cannot be edited: remove it by hand", entry.Server, t.Line)
	}
	var list []edit.Splice
	for _, h := range t.Headers {
		end := h.To
		for _, s := range d.Statements {
			if s.From >= h.From && s.Kind == '=' && entry.IsServerKey(s.Key) && !slices.ContainsFunc(t.Headers, func(n toml.Statement) bool { return n.From > h.From && n.From < s.From }) {
				end = s.To
			}
		}
		list = append(list, edit.Splice{From: blankBefore(d.Src, h.From), To: lineTo(d.Src, end), Text: ""})
	}
	return d.Edit(list)
}

// blankBefore is the start of a line, or of the empty one before it.
func blankBefore(src []byte, at int) int {
	at = bytes.LastIndexByte(src[:at], '\n') + 1
	before := bytes.LastIndexByte(src[:max(at-1, 0)], '\n') + 1
	if at > 0 && len(bytes.TrimSpace(bytes.TrimPrefix(src[before:at], edit.BOM))) == 0 {
		return before
	}
	if at == 0 && bytes.HasPrefix(src, edit.BOM) {
		return len(edit.BOM)
	}
	return at
}

// lineTo is the end of a line, with its line break.
func lineTo(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// KeepsMeaning says whether all that is not the server's means in another file what it means
// in this one: of TOML, a line taken out may give those below it to another table.
func KeepsMeaning(list, without []toml.Statement) bool {
	rest := slices.DeleteFunc(slices.Clone(list), func(s toml.Statement) bool { return entry.IsServerKey(s.Key) })
	return slices.EqualFunc(rest, without, func(a, b toml.Statement) bool { return a.Kind == b.Kind && slices.Equal(a.Key, b.Key) })
}

// isAlone says whether a container has only the way to our entry in it. The
// matcher belongs to the hooks of its group.
func isAlone(n *jsonc.Node) bool {
	for _, it := range n.Items {
		if len(n.Items) > 1 && it.Key != "hooks" && it.Key != "matcher" {
			return false
		}
	}
	return n.Kind == '{' || len(n.Items) == 1
}
