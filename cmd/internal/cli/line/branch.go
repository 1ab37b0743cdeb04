package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/provenance"
)

type branchOptions struct {
	remove, rename, list, all, verbose bool
	private, public                    bool
}

// NewBranch makes 'git sage branch'.
func NewBranch(a *app.App) *cobra.Command {
	var o branchOptions
	c := &cobra.Command{
		Use:   "branch [<options>] [<name> [<rev>]]",
		Short: "List, create, rename or close lines of thought",
		Long: `Without a name, list the lines; * marks the current one. With a name, create a
line at <rev>, or where you stand, without switching to it. The branches of your
code are never touched.

Deleting a line closes it: its checkpoints stay in git, --all lists it as
closed; 'git sage switch <name>' and a save reopen it. -D is the same as -d.

Lines follow the branches of your code: on feature/Auth-2, the line is
feature-auth-2. Checking out a branch writes nothing. The first save creates the
line, from the checkpoint that is nearest to the code, and records the branch in
it for all clones. main and master share the line main; so does the branch that
origin's HEAD names, if there is neither. 'git sage config set follow_branch
false' keeps one line for all branches.

  git branch -m        the line follows the new name, and keeps its own
  git branch -d        the line is closed, and listed here and by 'git sage
                       status' while it has unmerged checkpoints. If the branch
                       is made again and holds the line's code, the line goes
                       on; otherwise a new line begins
  git merge            'git sage status' and the next session name the line to
                       merge, also after a squash merge; nothing merges by
                       itself
  git sage switch      sets the line of this branch; in an agent's session, only
                       for that session

A detached HEAD keeps the line of the branch it left; a rebase or bisect keeps
that of the branch it returns to. Renames need git's reflog and refs in files;
without them, the old line is closed and a new one begins. Searches prefer
checkpoints whose code is behind HEAD.`,
		Example: `git sage branch
git sage branch cookies auth~2
git sage branch -m cookies sessions`,
		Args:              usage.RangeArgs(0, 2),
		RunE:              func(c *cobra.Command, args []string) error { return runBranch(c.Context(), a, o, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.list, "list", "l", false, "list the lines")
	f.BoolVarP(&o.all, "all", "a", false, "also list forks and closed lines")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show id, [git branch] and description")
	f.BoolVarP(&o.remove, "delete", "d", false, "close the line <name>; a save on it reopens it")
	f.BoolVarP(&o.remove, "D", "D", false, "same as -d: nothing is lost")
	f.BoolVarP(&o.rename, "move", "m", false, "rename a line: [<old>] <new>")
	f.BoolVar(&o.private, "private", false, "keep the line <name> from being sent to any remote")
	f.BoolVar(&o.public, "public", false, "let it be sent again")
	return c
}

// NewBranchAt makes 'git sage checkpoint branch'.
func NewBranchAt(a *app.App) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:     "branch <id> --name <name>",
		Example: "git sage checkpoint branch 3f2a91c0 --name cookies",
		Short:   "Create a line at a checkpoint",
		Long: `Create the line <name> at the checkpoint <id>, and stay where you are. The
branches of your code are never touched.`,
		Args: usage.ExactArgs("id"),
		RunE: func(c *cobra.Command, args []string) error {
			if name == "" {
				return usage.Errorf("option '--name' is missing")
			}
			return beginLine(c.Context(), a, name, args[0])
		},
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().StringVar(&name, "name", "", "the `name` of the new line")
	return c
}

func runBranch(ctx context.Context, a *app.App, o branchOptions, args []string) error {
	switch {
	case o.private || o.public:
		return setPrivate(ctx, a, o, args)
	case o.remove && o.rename:
		return usage.Errorf("options '--delete' and '--move' cannot be used together")
	case o.remove:
		return deleteLine(ctx, a, args)
	case o.rename:
		return renameLine(ctx, a, args)
	case o.list && len(args) > 0:
		return usage.Errorf("too many arguments: '%s'", args[0])
	case len(args) == 0:
		return listLines(ctx, a, o)
	}
	return beginLine(ctx, a, args[0], append(args, "")[1])
}

// beginLine makes a line at rev, "" being where the session stands.
func beginLine(ctx context.Context, a *app.App, name, rev string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	l, err := m.Store.Lines.Branch(ctx, name, rev)
	if errors.Is(err, gitstore.ErrExists) {
		return exit.WithHint(err, "'git sage switch %s' switches to it, even if it is closed", name)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(wire.LineOf(l))
	}
	a.Say("Created line '%s' at %s; 'git sage switch %s' switches to it", l.Name, a.Short(l.Tip), l.Name)
	return nil
}

// setPrivate keeps a line here, or lets it go.
func setPrivate(ctx context.Context, a *app.App, o branchOptions, args []string) error {
	if o.private == o.public || o.remove || o.rename || len(args) > 1 {
		return usage.Errorf("'--private' and '--public' take one name, and no other option")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	name := m.Store.Session.CurrentLine()
	if len(args) == 1 {
		name = args[0]
	}
	was := slices.Contains(m.Store.Remotes.PrivateLines(), name)
	if err := m.Store.Remotes.SetPrivate(ctx, name, o.private); err != nil {
		return err
	}
	switch {
	case a.JSON:
		return a.PrintJSON(map[string]any{"line": name, "private": o.private})
	case o.private:
		a.Say("line '%s' is never sent to a remote; what a remote has of it already stays there", name)
	case !was:
		a.Say("line '%s' is not private; 'git sage branch --all' marks those that are", name)
	default:
		a.Say("line '%s' may be sent to the remotes that you share with", name)
	}
	return nil
}

func deleteLine(ctx context.Context, a *app.App, args []string) error {
	if len(args) != 1 {
		return usage.Errorf("'--delete' takes one name")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	tip, err := m.Store.Commits.Resolve(ctx, args[0])
	if err != nil {
		return noLine(args[0], err)
	}
	if err := m.Store.Lines.Delete(ctx, args[0]); err != nil {
		return err
	}
	a.Say("Closed line '%[1]s' (was %[2]s); 'git sage switch %[1]s' and a save reopen it", args[0], a.Short(tip))
	return nil
}

// renameLine renames the line of the first argument, or where the session
// stands if there is only one.
func renameLine(ctx context.Context, a *app.App, args []string) error {
	if len(args) == 0 {
		return usage.Errorf("'--move' takes [<old>] <new>")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		args = []string{m.Store.Session.CurrentLine(), args[0]}
	}
	if err := m.Store.Lines.Rename(ctx, args[0], args[1]); err != nil {
		return noLine(args[0], err)
	}
	a.Say("Line '%s' is now '%s'", args[0], args[1])
	return nil
}

func listLines(ctx context.Context, a *app.App, o branchOptions) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	lines, err := history.Lines(ctx, m)
	if err != nil {
		return err
	}
	p, wide := a.Palette(), 0
	for _, l := range lines {
		wide = max(wide, len(l.Name))
	}
	for _, l := range lines {
		if !o.all && !l.Current && (l.Fork || l.Note.Closed && l.Unmerged == 0) {
			continue
		}
		if err := printLine(a, l, p, wide, o.verbose); err != nil {
			return err
		}
	}
	return nil
}

func printLine(a *app.App, l history.Line, p term.Palette, wide int, verbose bool) error {
	if a.JSON {
		return a.PrintJSON(l.Object())
	}
	mark, color := "  ", ""
	if l.Current {
		mark, color = "* ", "green"
	}
	if !verbose || l.Latest == nil {
		_, err := fmt.Fprintln(a.Out, strings.TrimRight(mark+p.Paint(color, l.Name)+" "+state(l), " "))
		return err
	}
	with := state(l)
	if len(l.Note.Branches) > 0 {
		with += "[" + term.Visible(term.Some(l.Note.Branches)) + "] "
	}
	_, err := fmt.Fprintf(a.Out, "%s%s%*s %s %s%s\n", mark, p.Paint(color, l.Name), wide-len(l.Name), "",
		a.Short(l.Latest.ID), with, term.Visible(provenance.Byline(*l.Latest)+l.Latest.Description))
	return err
}

// state says of a line that it is private, or closed.
func state(l history.Line) string {
	if l.Private {
		return "(private) " + closed(l.Line, l.Unmerged)
	}
	return closed(l.Line, l.Unmerged)
}

// closed says of a line that is closed that it is, and what it is called now or still has.
func closed(l gitstore.Line, unmerged int) string {
	switch {
	case !l.Note.Closed || l.Fork:
		return ""
	case l.Note.RenamedTo != "":
		return "(closed: now '" + term.Visible(l.Note.RenamedTo) + "') "
	case unmerged > 0:
		return "(git branch deleted, " + legible.Count(unmerged, "checkpoint") + " not merged) "
	}
	return "(closed) "
}

// noLine says that there is no such line, where err says no such checkpoint.
func noLine(name string, err error) error {
	if !exit.IsNotFound(err) {
		return err
	}
	return &gitstore.NotFoundError{Kind: "line", Name: name}
}
