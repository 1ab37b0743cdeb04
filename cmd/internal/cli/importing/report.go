package importing

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/internal/hint"
)

// What --json prints: an object for each count, renaming and problem, and one of all at the end.
type (
	countJSON struct {
		What string `json:"what"`
		imports.Count
	}
	renamedJSON struct {
		What string `json:"what"`
		imports.Renaming
	}
	problemJSON struct {
		What    string `json:"what"`
		Where   string `json:"where"`
		Grade   string `json:"grade"` // note, partial or skipped
		Problem string `json:"problem"`
		Do      string `json:"do,omitempty"`
	}
	resultJSON struct {
		What     string   `json:"what"`
		Tool     string   `json:"tool"`
		DryRun   bool     `json:"dry_run"`
		Imported int      `json:"imported"`
		Updated  int      `json:"updated"`
		Had      int      `json:"had"`
		Removed  int      `json:"removed"`
		Redacted int      `json:"redacted"`
		Lines    []string `json:"lines,omitempty"`
		Whole    bool     `json:"whole"` // nothing was left out
	}
)

func tell(a *app.App, r imports.Report, o options) error {
	for _, n := range r.Warnings {
		a.Warn("%s", hint.Note(n))
	}
	if a.JSON {
		return tellJSON(a, r, o)
	}
	if o.quiet {
		for _, p := range r.Problems {
			if p.Grade != imports.Noted {
				a.Warn("%s: %s", p.Where, p.What)
			}
		}
		return nil
	}
	return a.Print(func(w io.Writer) { write(a, w, r, o) })
}

func tellJSON(a *app.App, r imports.Report, o options) error {
	for _, c := range r.Counts {
		if err := a.PrintJSON(countJSON{"count", c}); err != nil {
			return err
		}
	}
	for _, x := range r.Renamed {
		if err := a.PrintJSON(renamedJSON{"renamed", x}); err != nil {
			return err
		}
	}
	for _, p := range r.Problems {
		if err := a.PrintJSON(problemJSON{"problem", p.Where, string(p.Grade), p.What, p.Do}); err != nil {
			return err
		}
	}
	all := r.Total()
	return a.PrintJSON(resultJSON{"result", r.Tool, o.DryRun, all.New, all.Updated, all.Had, all.Removed, redacted(r), r.Lines, !r.Lost()})
}

func redacted(r imports.Report) (n int) {
	for _, f := range r.Redacted {
		n += f.Count
	}
	return n
}

// write prints a report: what came, then what did not.
func write(a *app.App, w io.Writer, r imports.Report, o options) {
	did := "imported"
	if o.DryRun {
		did = "would import"
	}
	all := r.Total()
	switch {
	case all.New+all.Updated > 0:
		writeCounts(w, did, r)
	case all.Had+all.Removed > 0:
		fmt.Fprintf(w, "nothing new: %s\n", before(all))
	default:
		fmt.Fprintf(w, "%s nothing\n", did)
	}
	if len(r.Lines) > 0 {
		fmt.Fprintf(w, "checkpoints %s on: %s\n", map[bool]string{false: "are", true: "would be"}[o.DryRun], term.Visible(strings.Join(r.Lines, ", ")))
	}
	if n := redacted(r); n > 0 {
		fmt.Fprintln(w, app.RedactedText(r.Redacted))
	}
	if all.New+all.Updated > 0 {
		writeRenamed(w, r)
	}
	writeProblems(a, w, r, all.New+all.Updated > 0 || all.Had+all.Removed == 0)
}

// writeCounts prints a table of what came, by kind and store.
func writeCounts(w io.Writer, did string, r imports.Report) {
	kinds, here, own := []string{}, map[string]int{}, map[string]int{}
	for _, c := range r.Counts {
		n := c.New + c.Updated
		if n == 0 {
			continue
		}
		if here[c.Kind]+own[c.Kind] == 0 {
			kinds = append(kinds, c.Kind)
		}
		if c.Own {
			own[c.Kind] += n
		} else {
			here[c.Kind] += n
		}
	}
	fmt.Fprintf(w, "%-16s %9s %9s\n", did, "project", "yours")
	for _, k := range kinds {
		fmt.Fprintf(w, "  %-14s %9s %9s\n", many(k), number(here[k]), number(own[k]))
	}
	all := r.Total()
	if all.Had+all.Removed > 0 {
		fmt.Fprintf(w, "%s\n", before(all))
	}
	if all.Updated > 0 {
		fmt.Fprintf(w, "%d of these changed there since, and replaced what was imported before\n", all.Updated)
	}
}

func many(kind string) string { return kind + "s" }

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// before says what was here before.
func before(all imports.Count) string {
	said := fmt.Sprintf("%d imported before", all.Had)
	if all.Removed > 0 {
		said += fmt.Sprintf(", %d removed here since (--again imports them)", all.Removed)
	}
	return said
}

// How many lines of a kind are printed; --json has all.
const (
	mostRenamed = 5
	mostNotes   = 12
)

func writeRenamed(w io.Writer, r imports.Report) {
	if len(r.Renamed) == 0 {
		return
	}
	var list []string
	for _, x := range r.Renamed[:min(len(r.Renamed), mostRenamed)] {
		list = append(list, term.Visible(x.Old)+" is "+x.New)
	}
	if n := len(r.Renamed) - mostRenamed; n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	fmt.Fprintf(w, "renamed: %s\n", strings.Join(list, ", "))
}

// writeProblems prints what was not taken whole, then what is worth knowing.
func writeProblems(a *app.App, w io.Writer, r imports.Report, noted bool) {
	p := a.Palette()
	line := func(x imports.Problem, color string) {
		fmt.Fprintf(w, "  %s %s: %s\n", p.Paint(color, fmt.Sprintf("%-7s", x.Grade)), term.Visible(x.Where), term.Visible(x.What))
		if x.Do != "" {
			fmt.Fprintf(w, "          %s\n", term.Visible(x.Do))
		}
	}
	var lost, notes []imports.Problem
	for _, x := range r.Problems {
		if x.Grade == imports.Noted {
			notes = append(notes, x)
		} else {
			lost = append(lost, x)
		}
	}
	if len(lost) > 0 {
		fmt.Fprintf(w, "\nnot taken whole:\n")
	}
	for _, x := range lost {
		line(x, "red")
	}
	if len(notes) == 0 || !noted { // of what was imported before they were told then
		return
	}
	fmt.Fprintf(w, "\nworth knowing:\n")
	for _, x := range notes[:min(len(notes), mostNotes)] {
		line(x, "yellow")
	}
	if n := len(notes) - mostNotes; n > 0 {
		fmt.Fprintf(w, "  and %s; --json lists all\n", legible.Count(n, "more note"))
	}
}
