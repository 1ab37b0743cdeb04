package search

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/rank"
)

// A Recalled is an item that answers a prompt, or nearly did.
type Recalled struct {
	knowledge.Known
	rank.Scored
}

// Is reports whether both are the same item.
func (r Recalled) Is(o Recalled) bool { return r.Item.ID == o.Item.ID }

// Shown is what is given of an item: all of it, or its beginning, and how to see the rest.
func (r *Recalled) Shown() string {
	all := r.Item.Text()
	if r.Excerpt == 0 {
		return all
	}
	return fmt.Sprintf("%s\n[Cut: it has %d tokens. For all of it: sage_recall_knowledge with query %s, or `git sage knowledge show %s`.]",
		cut.Beginning(all, r.Excerpt*brief.CharsPerToken), r.Item.Tokens(), r.Item.ID, r.Item.ID)
}

// Notes are those of the item, that something newer contradicts it, and that its code changed.
func (r *Recalled) Notes() []string {
	out := notes(r.Item)
	if len(r.Newer) > 0 {
		out = append(out, "Outdated: "+brief.Line(r.Outdated, 200)+".")
	}
	if r.Outlived != "" {
		out = append(out, "May be stale: "+brief.Line(r.Outlived, 200)+".")
	}
	return out
}

// notes say what a reader must know of an item before believing it.
func notes(it *sage.Item) (out []string) {
	switch it.Status {
	case sage.Deprecated:
		s := "Deprecated"
		if it.Reason != "" {
			s += ": " + brief.Line(it.Reason, 200)
		}
		if it.Replacement != "" {
			s += "; use " + brief.Line(it.Replacement, 100)
		}
		out = append(out, s+".")
	case sage.Superseded:
		out = append(out, "Superseded by another item.")
	}
	if len(merge.Conflicts(it)) > 0 {
		out = append(out, "In conflict: a merge left several versions; ask which one is right.")
	}
	return out
}

// TitleKey is what a session's list of what it was given has of a title.
func TitleKey(key string) string { return "title " + key }

// NoteTitle is what [gitstore.Store.Session].NoteGiven takes of a title: it is no item that was given.
func (r *Recalled) NoteTitle(given map[string]string) { given[TitleKey(r.Meta.Key)] = "-" }
