package knowledge

import (
	"context"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A listRow is an item, a note or a core file as lists show it.
type listRow struct {
	id, kind, status, where, title string
	unconfirmed, by                string // the mark before the title, and who is in it
	changed                        time.Time
	keywords                       []string
	object                         func() any // what --json prints of it
}

func itemRows(ctx context.Context, m *recall.Memory, items []recall.Known) []listRow {
	foreign := m.Provenance.Foreign(ctx, items)
	return lists.Map(items, func(k recall.Known) listRow {
		it := k.Item
		r := listRow{
			id: it.ID, kind: it.Type.Kind(), status: item.Status(k), where: item.OwnMark(k), changed: it.Updated,
			keywords: it.Keywords, title: wire.ListTitle(k), unconfirmed: provenance.ItemByline(k, foreign, ""),
			object: func() any { return wire.ItemOf(ctx, m, k, foreign) },
		}
		if r.unconfirmed != "" {
			r.by = withoutAddresses(provenance.Name(foreign[k.Key], 60))
		}
		return r
	})
}

// withoutAddresses is who wrote something by name alone.
func withoutAddresses(by string) string {
	parts := strings.Split(by, " <")
	for i, p := range parts[1:] {
		_, parts[i+1], _ = strings.Cut(p, ">")
	}
	return strings.Join(parts, "")
}

func coreRow(m *recall.Memory, f gitstore.CoreFile) listRow {
	r := listRow{id: f.Path, kind: coreKind, status: string(sage.Active), changed: f.Added, title: f.Summary}
	exists := app.Exists(m, f.Path)
	if !exists {
		r.status = "gone"
	}
	if f.Conflict {
		r.status += " (conflict)"
	}
	if !f.Own {
		r.unconfirmed, r.by = "("+provenance.UnconfirmedShort("")+") ", provenance.Name("", 40)
	}
	r.object = func() any { return wire.CoreOf(f, exists, r.status) }
	return r
}

// printRows prints a list: a table on a terminal, tab-separated in a pipe, or objects
// with --json. A table has the columns alone that say something, and leaves room for the
// title: ids are short there, who is not confirmed has a column, and keywords are for who
// has a wide one, as is the time beside that column.
func printRows(a *app.App, rows []listRow, short func(string) string) error {
	t := term.Table{Head: []string{"id", "kind", "status", "changed", "in", "keywords", "unconfirmed", "title"}}
	t.PaintIDs(a.Palette())
	marked := false
	for _, r := range rows {
		if a.JSON {
			if err := a.PrintJSON(r.object()); err != nil {
				return err
			}
			continue
		}
		changed := ""
		if !r.changed.IsZero() {
			changed = a.When(r.changed)
		}
		by, title := r.by, r.title
		if !a.TTY {
			by, title = "", r.unconfirmed+title
		}
		marked = marked || by != ""
		t.Add(short(r.id), r.kind, r.status, changed, r.where, strings.Join(r.keywords, ", "), by, title)
	}
	if a.JSON {
		return nil
	}
	empty := func(cell string) bool { return cell == "" }
	t.Drop("unconfirmed", empty)
	if a.TTY {
		const wide = 120
		narrow := a.Width > 0 && a.Width < wide
		t.Drop("in", empty)
		t.Drop("status", func(cell string) bool { return cell == string(sage.Active) })
		t.Drop("keywords", func(cell string) bool { return cell == "" || narrow })
		t.Drop("changed", func(string) bool { return narrow && marked })
	}
	return t.Print(&a.Terminal)
}
