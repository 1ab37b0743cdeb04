package imports

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// ahead is what has to be known of an item before another is linked to it.
type ahead struct {
	tells   bool // its id tells a secret of its text
	private bool // the source says so
}

// lookAhead reads the items of the source once, for their ids and links.
func (r *runner) lookAhead(ctx context.Context) error {
	r.ahead = map[Name]ahead{}
	rules := redact.Default()
	if r.to.Project != nil {
		rules = r.to.Project.Repo.Options.Redact
	}
	ids := map[Name]string{}
	for _, n := range r.names {
		ids[Name{Own: n.Own, Name: n.Name}] = n.ID
	}
	return r.src.Each(ctx, func(rec Record) error {
		it, ok := rec.Thing.(Item)
		if !ok || it.Shelf != "" {
			return ctx.Err()
		}
		n := Name{Own: rec.Own, Name: rec.Name}
		_, tells, err := rules.Named(it.Item.Clone(), cmp.Or(ids[n], n.Name))
		if err != nil {
			return err
		}
		a := ahead{tells: tells, private: it.IsPrivate()}
		if a != (ahead{}) {
			r.ahead[n] = a
		}
		return ctx.Err()
	})
}

// hiddenName stands for a name that holds a secret.
func hiddenName(name string) string { return "item-" + gitstore.BroughtSum(name)[:8] }

// unname puts the ids of those that an item is linked to, and whose names hold a secret, in place
// of the names where its texts say them.
func (w *writer) unname(it *sage.Item) {
	for _, l := range it.Links {
		id := w.ids[l.To]
		if id == "" || !w.hidden(l.To) {
			continue
		}
		say := "(?i)" + regexp.QuoteMeta(l.To)
		if base := path.Base(l.To); w.hidden(base) || w.r.ahead[Name{Own: w.own, Name: l.To}].tells && len(base) > 7 { // a link may name a file without its folder
			say += "|" + regexp.QuoteMeta(base)
		}
		name := regexp.MustCompile(say)
		_ = it.MapText(func(s string) (string, error) { return name.ReplaceAllLiteralString(s, id), nil })
	}
}

// hidden reports whether the name of an item holds a secret, by itself or by the item's text.
func (w *writer) hidden(name string) bool {
	return isSecret(name) || w.r.ahead[Name{Own: w.own, Name: name}].tells
}

// unlink leaves out the links of an item that would tell of a private one, or by which a private
// one would replace what others have. Those that the item has here stay.
func (w *writer) unlink(rec Record, it *sage.Item) {
	private := w.private[it.ID]
	here := w.items[it.ID].Item
	it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool {
		refused := !private && w.private[l.To]
		which := "which is private"
		if private && l.Kind == sage.Supersedes && (w.items[l.To].Item != nil || w.coming[l.To]) && !w.private[l.To] {
			refused, which = true, "which is not private"
		}
		if !refused || here != nil && slices.Contains(here.Links, l) {
			return false
		}
		w.r.problem(rec, Noted, fmt.Sprintf("left out: link of %s to %s, %s", it.ID, l.To, which), "")
		return true
	})
	if to := it.Replacement; to != "" && !private && w.private[to] && (here == nil || here.Replacement != to) {
		it.Replacement = ""
		w.r.problem(rec, Noted, fmt.Sprintf("left out: link of %s to %s, which is private", it.ID, to), "")
	}
}
