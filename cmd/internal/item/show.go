package item

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/suspect"
)

// showAll shows what has these keys.
func showAll(ctx context.Context, a *app.App, keys []string, raw bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer a.Page()()
	for i, key := range keys {
		if i > 0 && !raw && !a.JSON {
			fmt.Fprintln(a.Out)
		}
		if err := Show(ctx, a, m, key, raw); err != nil {
			return err
		}
	}
	return nil
}

// Show shows what has a key; raw is as it is stored.
func Show(ctx context.Context, a *app.App, m *recall.Memory, key string, raw bool) error {
	k, err := m.Knowledge.Item(ctx, key)
	if err != nil {
		return Missing(ctx, m, err)
	}
	if k.Err != nil {
		_, err := storedText(k)
		return err
	}
	from := m.Provenance.Foreign(ctx, []recall.Known{k})
	var found []suspect.Finding
	if author, ok := from[k.Key]; ok && !k.Own && (len(k.Withheld) == 0 || m.Store.Repo.Options.Person) {
		found = m.Provenance.Suspect(k, author)
	}
	if raw {
		if _, ok := from[k.Key]; ok {
			a.Say("'%s' is %s", key, m.Provenance.Trust(ctx, k))
		}
		_, err := a.Out.Write(codec.MarshalItem(k.Item))
		return err
	}
	trace, err := traceOf(ctx, m, k, key)
	if err != nil {
		return err
	}
	links, err := linksOf(ctx, m, k, strings.Contains(key, "@{"))
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(object(ctx, m, k, key, from, trace, links))
	}
	if m.Store.Knowledge.IsSharedToo(k.ItemEntry) {
		a.Hint("others have a shared '%[1]s', which does not count here: 'git sage forget %[1]s' removes yours, and theirs counts", key)
	}
	return a.Print(func(w io.Writer) { write(a, w, k, from, origin{found, trace}, links, m.Knowledge.RefStates(ctx, k)) })
}

// Object is what show --json prints of the item that has a key.
func Object(ctx context.Context, m *recall.Memory, key string) (j wire.Item, err error) {
	k, err := m.Knowledge.Item(ctx, key)
	if err != nil {
		return j, Missing(ctx, m, err)
	}
	trace, err := traceOf(ctx, m, k, key)
	if err != nil {
		return j, err
	}
	links, err := linksOf(ctx, m, k, strings.Contains(key, "@{"))
	return object(ctx, m, k, key, m.Provenance.Foreign(ctx, []recall.Known{k}), trace, links), err
}

func object(ctx context.Context, m *recall.Memory, k recall.Known, key string, from map[string]string, trace *wire.Trace, links []gitstore.ItemLink) wire.Item {
	j := wire.ItemOf(ctx, m, k, from)
	j.Content, j.Trace = k.Item.Content, trace
	j.SetLinks(links)
	if j.Author == "" && !strings.Contains(key, "@{") {
		if by, err := m.Provenance.Origin(ctx, key); err == nil {
			j.Author = by.Author
		}
	}
	return j
}

// traceOf is how an item came here; nil of one that was made here, and of an old state.
func traceOf(ctx context.Context, m *recall.Memory, k recall.Known, key string) (*wire.Trace, error) {
	if k.Own || strings.Contains(key, "@{") {
		return nil, nil
	}
	traced, err := m.Store.Review.TraceItem(ctx, k.ItemEntry)
	return wire.TraceOf(traced), err
}

// linksOf are the links of an item from both ends; of an old state its own, and of
// what stands elsewhere than knowledge none.
func linksOf(ctx context.Context, m *recall.Memory, k recall.Known, old bool) ([]gitstore.ItemLink, error) {
	switch {
	case strings.Contains(k.Key, "/"):
		return nil, nil
	case !old:
		return m.Knowledge.ItemLinks(ctx, k.Key)
	}
	var near []gitstore.ItemEntry
	for _, l := range k.Item.Links {
		if other, err := m.Knowledge.Item(ctx, l.To); err == nil {
			near = append(near, other.ItemEntry)
		}
	}
	return gitstore.LinksOf(k.Item, near), nil
}

// An origin is how an item came here from elsewhere, and what of it is suspect.
type origin struct {
	suspect []suspect.Finding
	trace   *wire.Trace
}

// Write shows an item: what it is, how it stands to others, what it says.
func Write(a *app.App, w io.Writer, k recall.Known, foreign map[string]string, links []gitstore.ItemLink, states []sage.RefState) {
	write(a, w, k, foreign, origin{}, links, states)
}

// write is Write with where the item came from. What is suspect stands in a fence.
func write(a *app.App, w io.Writer, k recall.Known, foreign map[string]string, from origin, links []gitstore.ItemLink, states []sage.RefState) {
	it, p := k.Item, a.Palette()
	fmt.Fprintf(w, "%s %s, %s\n", p.ID(term.Visible(it.Type.Kind()+" "+it.ID)), term.Visible(string(it.Status)), legible.Count(it.Tokens(), "token"))
	rows := itemHead(k, states)
	if !it.Added.IsZero() {
		rows = append(rows, [2]string{"Added", a.GitDate(it.Added)})
	}
	if !it.Updated.Equal(it.Added) {
		rows = append(rows, [2]string{"Updated", a.GitDate(it.Updated)})
	}
	if author, ok := foreign[k.Key]; ok && !k.Own {
		by := strings.TrimPrefix(provenance.Unconfirmed(author), "by ")
		if !k.IsRefused() {
			by += a.Typed("; 'git sage knowledge confirm " + k.Key + "' confirms it")
		}
		rows = append(rows, [2]string{"By", by})
	}
	if k.IsRefused() && !provenance.IsWithheld(it.Content) { // an agent reads of it there
		rows = append(rows, [2]string{"Refused", a.Typed(wire.RefusedNote(k.Key))})
	}
	rows = append(rows, from.trace.Rows(a.GitDate)...)
	for _, f := range from.suspect {
		rows = append(rows, [2]string{"Suspect", f.Rule + ": " + f.What})
	}
	for _, l := range links {
		rows = append(rows, [2]string{term.UpperFirst(string(l.Kind)), linkText(l)})
	}
	writeRows(w, rows)
	for _, f := range [][2]string{{"Approach", it.Approach}, {"Why it failed", it.WhyFailed}, {"Learned", it.Learned}} {
		if f[1] != "" {
			fmt.Fprintf(w, "\n%s:\n%s\n", f[0], term.VisibleLines(term.Indent(f[1])))
		}
	}
	for i, s := range states {
		if s.Diff != "" {
			r := it.CodeRefs[i]
			r.Relevance = ""
			fmt.Fprintf(w, "\nChanged in %s:\n%s\n", term.Visible(r.Line()), term.VisibleLines(term.Indent(s.Diff)))
		}
	}
	writeConflicts(a, w, k.Sent())
	switch {
	case it.Content == "":
	case len(from.suspect) > 0:
		fmt.Fprintf(w, "\n%s\n", brief.Fence("suspect: "+strings.Join(suspect.Rules(from.suspect), ", "), it.Body()))
	default:
		fmt.Fprintf(w, "\n%s\n", term.VisibleLines(it.Body()))
	}
}

// writeRows prints names and values in two columns, but for those without a value.
func writeRows(w io.Writer, rows [][2]string) {
	rows = slices.DeleteFunc(rows, func(r [2]string) bool { return r[1] == "" })
	wide := 11
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	for _, r := range rows {
		fmt.Fprintf(w, "%-*s %s\n", wide+1, r[0]+":", term.Visible(r[1]))
	}
}

// itemHead are fields of one line, with their names.
func itemHead(k recall.Known, states []sage.RefState) [][2]string {
	it, where := k.Item, ""
	switch {
	case it.IsPrivate():
		where = "this clone alone (private)"
	case k.Own:
		where = "your own memory"
	}
	always := ""
	if it.Scope.Always {
		always = "yes"
	}
	refs := briefing.RefLines(it.CodeRefs, states)
	return [][2]string{
		{"About", it.Description}, {"Keywords", strings.Join(it.Keywords, ", ")}, {"Patterns", strings.Join(it.Patterns, ", ")}, {"When", strings.Join(it.When, "; ")},
		{"Skills", strings.Join(it.Scope.Skills, ", ")}, {"Always", always}, {"Paths", strings.Join(it.Scope.Paths, ", ")},
		{"Source", it.Source}, {"In", where}, {"Reason", it.Reason}, {"Code", strings.Join(refs, ", ")},
	}
}

func linkText(l gitstore.ItemLink) string {
	switch {
	case l.Missing:
		return l.ID + " (no such item)"
	case l.Item.Status == sage.Archived, l.Item.Status == sage.Deprecated, l.Item.Status == sage.Superseded:
		return l.ID + " (" + string(l.Item.Status) + ") " + wire.Title(l.Item)
	}
	return l.ID + " " + wire.Title(l.Item)
}

// writeConflicts names what a merge left, and how to settle it.
func writeConflicts(a *app.App, w io.Writer, it *sage.Item) {
	for _, c := range merge.Conflicts(it) {
		fmt.Fprintf(w, "\n%s\n", a.Palette().Paint("bold red", "Conflict in "+term.Visible(c.String())))
		if c.Field == "content" {
			a.Fprintf(w, "  both are below; settle it: git sage knowledge edit %s\n", it.ID)
			continue
		}
		for i, v := range c.Versions {
			fmt.Fprintf(w, "  %d. %s\n", i+1, term.Visible(wire.Text(v)))
		}
		fmt.Fprintf(w, "  settle it: %s\n", a.Typed(howToSettle(it, c.Field)))
	}
}

// howToSettle is what to type to settle a field.
func howToSettle(it *sage.Item, field string) string {
	update := "git sage knowledge update " + it.ID
	if field == "deleted_by" {
		return update + " --settle deleted_by keeps it, git sage forget " + it.ID + " removes it"
	}
	how := update + " --settle " + field + " keeps the first, git sage knowledge edit " + it.ID + " another"
	return how
}
