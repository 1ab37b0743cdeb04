package draft

import (
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/provenance"
)

// printSaved answers like git commit: what was recorded on standard output,
// what one should know about it on standard error.
func printSaved(a *app.App, s gitstore.Saved, quiet bool) error {
	a.Acted = "it is saved, as " + a.Short(s.ID) + ": saving again would record it twice"
	a.SayOutside(quiet)
	if a.JSON {
		return a.PrintJSON(wire.SavedOf(s))
	}
	if !quiet {
		if _, err := fmt.Fprintf(a.Out, "[%s %s] %s\n", s.RefName(), a.Short(s.ID), term.Visible(s.Description)); err != nil {
			return err
		}
		sayContinues(a, s)
	}
	SaySaved(a, s)
	return nil
}

func sayContinues(a *app.App, s gitstore.Saved) {
	if s.Follows != "" {
		a.Say("continues %s %s%s", a.Short(s.Follows), provenance.Byline(s.Followed), s.Continues)
	}
}

// SaySaved warns of what a person would not expect of a save.
func SaySaved(a *app.App, s gitstore.Saved) {
	for _, w := range s.Warnings {
		a.Warn("%s", w)
	}
	if s.Unsettling {
		a.Hint("'git sage merge --thesis <synthesis>' settles it")
	}
	if len(s.Redacted) > 0 {
		a.Warn("%s", app.RedactedText(s.Redacted))
	}
	switch {
	case s.Forked && s.Aside:
		a.Warn("other checkpoints continue the corrected one: saved beside '%s', as fork '%s'; you stay where you were", s.Line, s.RefName())
		a.Hint("'git sage merge %s' brings it into '%s'", s.RefName(), s.Line)
	case s.Forked:
		a.Warn("'%s' has moved on: saved beside it, as fork '%s'", s.Line, s.RefName())
		a.Hint("'git sage merge %s' brings it into '%s'", s.RefName(), s.Line)
	}
}
