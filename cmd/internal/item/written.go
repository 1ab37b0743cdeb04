package item

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/similarity"
)

// PrintWritten prints what became of items, one a line: those that were asked for with
// what was done to them, others as changed. If nothing changed it says so.
func PrintWritten(a *app.App, act string, asked []string, written []recall.Written, quiet bool) error {
	any := false
	for _, w := range written {
		any = any || w.Commit != "" || len(w.Removed) > 0
		if err := printStored(a, act, asked, w, quiet); err != nil {
			return err
		}
	}
	if !any && !quiet && !a.JSON {
		a.Say("nothing changed")
	}
	a.SayOutside(quiet || !any)
	for _, w := range written {
		sayWritten(a, w)
	}
	return nil
}

func printStored(a *app.App, act string, asked []string, w recall.Written, quiet bool) error {
	if w.Commit != "" {
		a.Acted = "it is saved, as " + a.Short(w.Commit)
	}
	for _, e := range w.Items {
		did := act
		if !slices.Contains(asked, e.Key) {
			did = followed(a, e.Item)
		}
		if err := printOne(a, wire.WrittenOf(did, asked, w, e), quiet); err != nil {
			return err
		}
	}
	for _, key := range w.Removed {
		if err := printOne(a, wire.Written{Act: "removed", ID: KeyName(key), Own: w.Own, Commit: w.Commit, Warnings: wire.NotNil(hint.Notes(w.Warnings))}, quiet); err != nil {
			return err
		}
	}
	return nil
}

// followed says what became of an item by the change of another. A program reads that in
// its status.
func followed(a *app.App, it *sage.Item) string {
	if it.Status == sage.Superseded && !a.JSON {
		return string(sage.Superseded)
	}
	return "changed"
}

func printOne(a *app.App, j wire.Written, quiet bool) error {
	if a.JSON {
		return a.PrintJSON(j)
	}
	if quiet {
		return nil
	}
	_, err := fmt.Fprintln(a.Out, strings.TrimSpace(fmt.Sprintf("%s %s %s", j.Act, term.Visible(j.ID), term.Visible(j.Title))))
	return err
}

// sayWritten tells what a person would not expect.
func sayWritten(a *app.App, w recall.Written) {
	for _, warning := range w.Warnings {
		a.Warn("%s", warning)
	}
	if len(w.Redacted) > 0 {
		a.Warn("%s", app.RedactedText(w.Redacted))
	}
	for _, key := range w.Conflicts {
		a.Warn("'%s' changed meanwhile, and holds both versions in conflict", key)
		a.Hint("'git sage knowledge show %s' shows which fields, and how to settle them", key)
	}
	for i := 0; i < len(w.Near); {
		n := i + 1
		for n < len(w.Near) && w.Near[n].To == w.Near[i].To {
			n++
		}
		sayNear(a, w.Near[i], w.Near[i+1:n])
		i = n
	}
}

// sayNear names the item that one which was saved repeats most, or may contradict, and
// what to type about it; others are named only.
func sayNear(a *app.App, n similarity.Near, others []similarity.Near) {
	update, title := "git sage knowledge update "+n.To, term.Clip(term.Visible(wire.Title(n.Item)), 80)
	if n.From != "" {
		title = "(" + term.Visible(n.From) + ") " + title
	}
	if n.Differs == "" {
		a.Warn("'%s' says nearly the same: %s%s", n.Item.ID, title, alsoNear(others))
		a.Hint("'%s --supersedes %s' replaces that item, 'git sage forget %s' removes this one", update, n.Item.ID, n.To)
		return
	}
	a.Warn("'%s' may contradict this (%s): %s%s", n.Item.ID, n.Differs, title, alsoNear(others))
	a.Hint("'%s --supersedes %s' if this one is right, '%s --contradicts %s' if you cannot tell", update, n.Item.ID, update, n.Item.ID)
}

func alsoNear(others []similarity.Near) string {
	var out strings.Builder
	for _, o := range others {
		fmt.Fprintf(&out, ", '%s'", o.Item.ID)
	}
	if out.Len() == 0 {
		return ""
	}
	return " (near it:" + strings.TrimPrefix(out.String(), ",") + ")"
}
