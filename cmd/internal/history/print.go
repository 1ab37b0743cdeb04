package history

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

// PrintEntries prints records as log does. Full entries are set apart by an
// empty line.
func PrintEntries(a *app.App, records []gitstore.Record, o Options) error {
	entry, err := withChanges(a, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Out) // a write for each wakes the reader of a pipe each time
	for i, r := range records {
		if i > 0 && o.Format == "" && !o.Oneline {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, entry(r))
	}
	return out.Flush()
}

// PrintActed prints one line a record of the memory that is open: what became of it, its id
// and its description.
func PrintActed(a *app.App, verb string, records []gitstore.Record, quiet bool) error {
	for _, r := range lists.Map(records, a.Memory.Provenance.Admitted) {
		var err error
		switch {
		case a.JSON:
			err = a.PrintJSON(map[string]any{"act": verb, "id": r.ID, "description": r.Description})
		case !quiet:
			_, err = fmt.Fprintf(a.Out, "%s %s %s\n", verb, a.Short(r.ID), term.Visible(r.Description))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// InTemplate is c in the form of its template, "" if that is the common one or
// cannot be used, of which it warns.
func InTemplate(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint) string {
	text, err := m.Templates.Rendered(ctx, c)
	if err != nil {
		a.Warn("%s: %v", a.Short(c.ID), err)
	}
	return text
}

// PrintRecords prints a list: a table on a terminal, tab-separated in a pipe,
// or objects with --json. line is that which all of them are on, if it is known.
func PrintRecords(a *app.App, records []gitstore.Record, line string) error {
	if a.JSON {
		for _, r := range records {
			if err := a.PrintJSON(wire.RecordOf(r)); err != nil {
				return err
			}
		}
		return nil
	}
	t := term.Table{Head: []string{"id", "age", "line", "turns", "tokens", "confidence", "description"}}
	t.PaintIDs(a.Palette())
	for _, r := range records {
		t.Add(a.Short(r.ID), a.When(r.Time), strings.Join(lineNames(r, line), ", "), term.Count(r.Messages), term.Count(r.Tokens),
			term.Percent(r.Confidence), inList(r))
	}
	return t.Print(&a.Terminal)
}

// lineNames are the names of r with a line among them, if one is known.
func lineNames(r gitstore.Record, line string) []string {
	if line == "" || slices.ContainsFunc(r.Names, func(n string) bool { return !strings.HasPrefix(n, "tag: ") }) {
		return r.Names
	}
	return append([]string{line}, r.Names...)
}

// describe is the description of r, and says so if it was removed, or if nobody thought
// about it: a recovery stands in for a thought until somebody saves one.
func describe(r gitstore.Record) string {
	switch {
	case r.Refused:
		return r.Description + " (refused)"
	case r.Removed:
		return r.Description + " (removed)"
	case r.Trigger == sage.Recovery:
		return r.Description + " (recovery)"
	}
	return r.Description
}

// inList is what a list says of r: its description, and before that whose it is if it came
// from elsewhere and nobody here stands for it.
func inList(r gitstore.Record) string { return provenance.Byline(r) + describe(r) }
