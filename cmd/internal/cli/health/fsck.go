package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
)

// fsckFlags are the options of fsck.
type fsckFlags struct {
	repair, dryRun, undo bool
	from, accept         string
	set                  []string
}

// NewFsck makes 'git sage fsck'.
func NewFsck(a *app.App) *cobra.Command {
	var f fsckFlags
	c := &cobra.Command{
		Use: "fsck [--repair [-n] [--from <clone>] [--set <line>=<id>]] | [--accept <line>] | [--undo]",
		Example: `git sage fsck
git sage fsck --repair --dry-run
git sage fsck --repair --from ../other-clone`,
		Short: "Check the memory for damage, and repair it",
		Long: `Read everything under refs/sage and print each problem on a line: kind, object,
and what to do. If all is well, print nothing. Exit with status 1 if something
is broken; oddities are warnings.

--repair repairs what can be repaired in only one way: lost and broken refs from
the journal and reflogs, lost objects from the backup, or from a clone on this
machine given by --from. It keeps what it replaces, and --undo takes the last
repair back. Where several values are possible, it changes nothing and says what
to type. --accept <line> accepts that the line lost checkpoints; saves go on
from what is left.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runFsck(c.Context(), a, f) },
	}
	c.Flags().BoolVar(&f.repair, "repair", false, "repair what can be repaired in only one way")
	c.Flags().BoolVarP(&f.dryRun, "dry-run", "n", false, "with --repair, show what would be done, and do nothing")
	c.Flags().StringVar(&f.from, "from", "", "with --repair, take missing objects from this `clone`")
	c.Flags().StringArrayVar(&f.set, "set", nil, "with --repair, set a ref to this value: `line=id`")
	c.Flags().StringVar(&f.accept, "accept", "", "go on with what is left of this `line`, fork or ref")
	c.Flags().BoolVar(&f.undo, "undo", false, "undo the last repair")
	return c
}

func runFsck(ctx context.Context, a *app.App, f fsckFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	m, err := a.OpenAsIs(ctx)
	if err != nil {
		return err
	}
	switch {
	case f.accept != "":
		said, err := m.Store.Fsck.Accept(ctx, f.accept)
		if err == nil {
			a.Say("%s", said)
		}
		return err
	case f.undo:
		return undoRepair(ctx, a, m.Store)
	case f.repair:
		return repairStore(ctx, a, m.Store, f)
	}
	return checkStore(ctx, a, m.Store)
}

func (f fsckFlags) check() error {
	n := 0
	for _, on := range []bool{f.repair, f.accept != "", f.undo} {
		if on {
			n++
		}
	}
	switch {
	case n > 1:
		return usage.Errorf("options '--repair', '--accept' and '--undo' cannot be used together")
	case (f.dryRun || f.from != "" || len(f.set) > 0) && !f.repair:
		return usage.Errorf("options '--dry-run', '--from' and '--set' need '--repair'")
	}
	return nil
}

func checkStore(ctx context.Context, a *app.App, s *gitstore.Store) error {
	r, err := s.Fsck.Check(ctx)
	if err != nil {
		return err
	}
	broken, err := printFindings(a, r.Findings)
	if err != nil {
		return err
	}
	if !a.JSON {
		sumUpCheck(a, r, broken)
	}
	if broken {
		return exit.ErrNo
	}
	return nil
}

// manyAlike is how many findings of a kind a person is shown.
const manyAlike = 20

// printFindings reports whether one of them is more than a warning.
func printFindings(a *app.App, all []gitstore.Finding) (broken bool, err error) {
	p, of := a.Palette(), map[string]int{}
	for _, f := range all {
		broken = broken || !f.Warning
		level := p.Paint("bold red", "error:")
		if f.Warning {
			level = p.Paint("bold yellow", "warning:")
		}
		of[f.Kind]++
		switch {
		case a.JSON:
			err = a.PrintJSON(wire.FindingOf(f))
		case of[f.Kind] <= manyAlike:
			_, err = fmt.Fprintf(a.Out, "%s %s\n", level, term.Visible(a.Typed(findingLine(f))))
		}
		if err != nil {
			return broken, err
		}
	}
	for kind, n := range of {
		if n > manyAlike && !a.JSON {
			a.Say("... and %s '%s'; --json lists them all", legible.Count(n-manyAlike, "more finding"), kind)
		}
	}
	return broken, nil
}

// findingLine is a finding, and what to type about it.
func findingLine(f gitstore.Finding) string {
	line := f.String()
	if cure := hint.Cure(f.Cure); cure != "" {
		line += "; " + cure
	}
	return line
}

// sumUpCheck says in a line what is lost and what is not. In a pipe a healthy memory
// says nothing.
func sumUpCheck(a *app.App, r gitstore.Report, broken bool) {
	size := legible.Count(r.Checkpoints, "checkpoint") + " on " + legible.Count(r.Lines, "line")
	if r.Forks > 0 {
		size += " and " + legible.Count(r.Forks, "fork")
	}
	if !broken {
		if a.TTY {
			fmt.Fprintln(a.Out, a.Palette().Paint("green", "✓ "+size+": everything can be read"))
		}
		return
	}
	switch {
	case r.Checkpoints == 0 && r.Lost == 0:
		a.Say("no checkpoint can be reached")
	case r.Lost == 0:
		a.Say("%s can be reached, and read", size)
	default:
		a.Say("%d of %s cannot be read in full; the others are intact", r.Lost, legible.Count(max(r.Checkpoints, r.Lost), "checkpoint"))
	}
	if r.Mendable > 0 {
		a.Hint("'git sage fsck --repair --dry-run' shows what can be repaired, '--repair' repairs it, and '--undo' undoes that")
	}
}

// repairJSON is what --json prints of a repair, after what is left to mend.
type repairJSON struct {
	Done []string `json:"done"`
	Not  []string `json:"not_done,omitempty"`
	Kept string   `json:"kept,omitempty"`
	Dry  bool     `json:"dry_run,omitempty"`
}

func repairStore(ctx context.Context, a *app.App, s *gitstore.Store, f fsckFlags) error {
	q := gitstore.RepairRequest{DryRun: f.dryRun, From: f.from, Set: map[string]string{}}
	if f.from != "" {
		q.From = a.Path(f.from)
	}
	for _, s := range f.set {
		ref, id, ok := strings.Cut(s, "=")
		if !ok {
			return usage.Errorf("--set wants <line>=<id>, not '%s'", s)
		}
		q.Set[ref] = id
	}
	r, err := s.Fsck.Repair(ctx, q)
	if err != nil {
		return err
	}
	return printRepair(a, r, f.dryRun)
}

func undoRepair(ctx context.Context, a *app.App, s *gitstore.Store) error {
	r, err := s.Fsck.UndoRepair(ctx)
	if err != nil {
		return err
	}
	for _, line := range r.Done {
		a.Say("%s", line)
	}
	return nil
}

func printRepair(a *app.App, r gitstore.Repaired, dry bool) error {
	if a.JSON {
		if err := a.PrintJSON(repairJSON{wire.NotNil(r.Done), hint.Notes(r.Not), r.Kept, dry}); err != nil {
			return err
		}
	} else if err := sayRepair(a, r, dry); err != nil {
		return err
	}
	broken, err := printFindings(a, r.Left)
	switch {
	case err != nil:
		return err
	case broken || len(r.Not) > 0:
		return exit.ErrNo
	}
	return nil
}

func sayRepair(a *app.App, r gitstore.Repaired, dry bool) error {
	p := a.Palette()
	word := p.Paint("bold green", "repaired:")
	if dry {
		word = p.Paint("bold", "would repair:")
	}
	for _, line := range r.Done {
		if _, err := fmt.Fprintf(a.Out, "%s %s\n", word, term.Visible(line)); err != nil {
			return err
		}
	}
	for _, line := range hint.Notes(r.Not) {
		if _, err := fmt.Fprintf(a.Out, "%s %s\n", p.Paint("bold yellow", "not repaired:"), term.Visible(a.Typed(line))); err != nil {
			return err
		}
	}
	switch {
	case r.Back:
		a.Say("what was replaced is kept in %s; 'git sage fsck --undo' undoes the repair", r.Kept)
	case r.Kept != "": // objects that were brought stay, and removed locks stay away
	case len(r.Done) == 0 && slices.ContainsFunc(r.Left, func(f gitstore.Finding) bool { return !f.Warning }):
		a.Say("nothing was changed: none of this can be repaired here")
	case len(r.Done) == 0:
		a.Say("nothing to repair")
	}
	return nil
}
