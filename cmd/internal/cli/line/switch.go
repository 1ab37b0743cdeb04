package line

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
)

// NewSwitch makes 'git sage switch'.
func NewSwitch(a *app.App) *cobra.Command {
	var create, quiet bool
	c := &cobra.Command{
		Use:   "switch [-c] [-q] (<line> | -) [<rev>]",
		Short: "Switch to another line of thought",
		Long: `Continue <line> with the next checkpoint in this work tree or, with --session,
in that session. Only the memory switches: your files, index and git branch stay
as they are. You can also switch to a fork ('git sage branch --all' lists them);
- is the line that the last switch left.

This sets which line goes with the current git branch; see
'git sage branch --help'.`,
		Example: `git sage switch cookies
git sage switch -c rotation auth~1`,
		Args:              usage.RangeArgs(1, 2, "line"),
		RunE:              func(c *cobra.Command, args []string) error { return runSwitch(c.Context(), a, create, quiet, args) },
		ValidArgsFunction: app.CompleteLines(a),
	}
	c.Flags().BoolVarP(&create, "create", "c", false, "create the line, at <rev> or where you stand")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only errors")
	return c
}

func runSwitch(ctx context.Context, a *app.App, create, quiet bool, args []string) error {
	name, rev := args[0], append(args, "")[1]
	if rev != "" && !create {
		return usage.Errorf("<rev> is only for a new line: 'git sage switch -c %s %s'", name, rev)
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if name == "-" && !create {
		if name = m.Store.Session.PreviousLine(); name == "" {
			return exit.WithHint(errors.New("no previous line: nothing was switched here yet"), "'git sage branch' lists the lines")
		}
	}
	l, err := m.Store.Lines.Switch(ctx, name, create, rev)
	if exit.IsNotFound(err) && !create && m.Store.Follow.LineOf(ctx, name) != "" {
		return noLine(name, err)
	}
	if (exit.IsNotFound(err) || errors.Is(err, gitstore.ErrName)) && !create {
		if _, rerr := m.Store.Commits.Resolve(ctx, name); rerr == nil {
			return errCheckpoint(name)
		}
	}
	if exit.IsNotFound(err) && !create && !strings.Contains(name, "/") {
		return exit.WithHint(noLine(name, err), "'git sage switch -c %s' creates it", name)
	}
	if errors.Is(err, gitstore.ErrExists) {
		return exit.WithHint(err, "'git sage switch %s' switches to it", name)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(wire.LineOf(l))
	}
	if quiet {
		return nil
	}
	new := ""
	switch {
	case l.Fork:
		a.Say("Switched to fork '%s' of line '%s'; 'git sage switch %s' goes back", l.Name, l.Of, l.Of)
		return nil
	case create:
		new = "new "
	}
	a.Say("Switched to %sline '%s'; your files and git branch stay as they are", new, l.Name)
	branch := m.Store.Follow.GitBranch()
	if m.Store.Follow.OnDefaultBranch(ctx) {
		return nil
	}
	switch {
	case branch == "":
	case a.Session != "":
		a.Say("This session stays on it until git is on a branch other than '%s'", branch)
	case m.Store.Follow.HeadDetached():
		a.Say("HEAD is detached from git branch '%s', which this line follows from now on", branch)
	default:
		a.Say("It follows git branch '%s' from now on", branch)
	}
	return nil
}

// errCheckpoint says of a checkpoint that it is no line, as git does, and how to go on from it.
func errCheckpoint(rev string) error {
	err := exit.WithHint(fmt.Errorf("a line is expected, got checkpoint '%s'", rev), "'git sage switch -c <name> %s' starts a line there", rev)
	return exit.WithHint(err, "'git sage checkpoint restore %s' continues from it", rev)
}
