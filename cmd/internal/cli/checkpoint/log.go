package checkpoint

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// NewLog makes 'git sage log'.
func NewLog(a *app.App) *cobra.Command {
	var o history.Options
	var commits bool
	c := &cobra.Command{
		Use:   "log [<options>] [<rev> | <a>..<b>]... [-- <path>...]",
		Short: "Show the checkpoints of a line, newest first",
		Long: `Show checkpoints, newest first, from where you stand or from each <rev>. After
--, show only those that explored, changed or cite one of the paths, relative to
the current folder, or to the top with :/ before them.

In --format, placeholders mean what they mean in git log (%H %h %P %p %s %b %an
%ae %ad %ar %at %aI %d %D %n %x09 %C(red)); %(field) is a field of --json, such
as %(thesis), %(confidence) or %(trigger).

With --commits, list the commits of your own code, of HEAD or of each <rev> of
git's, each with the checkpoints that explain it.`,
		Example: `git sage log --oneline --graph --all
git sage log -5 --grep token --since '2 weeks ago'
git sage log --format='%h %ar %(confidence) %s' -- internal/auth`,
		RunE: func(c *cobra.Command, args []string) error {
			if commits {
				var other string
				c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
					if f.Changed && f.Name != "commits" && f.Name != "max-count" && f.Name != "oneline" {
						other = f.Name
					}
				})
				if other != "" {
					return usage.Errorf("options '--commits' and '--%s' cannot be used together", other)
				}
				return history.PrintCommits(c.Context(), a, o.Query.Max, args)
			}
			return history.Print(a, c, o, args)
		},
		ValidArgsFunction: app.CompleteRevs(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&commits, "commits", false, "list commits of your code, with what explains them")
	f.BoolVar(&o.Graph, "graph", false, "draw a graph of the lineage")
	f.BoolVar(&o.Oneline, "oneline", false, "print id and description on one line")
	f.BoolVarP(&o.Patch, "patch", "p", false, "show what each changed, as 'git sage diff' does")
	f.StringVar(&o.Format, "format", "", "print in this `format`: git's %h %s, and %(field) of --json")
	f.Var((*term.DateMode)(&a.Date), "date", "show dates in this `style`: relative, iso, short, ...; log.date is the default")
	o.Filters(f, "max-count")
	history.CompleteFilters(a, c)
	f.BoolVar(&o.Query.Reverse, "reverse", false, "show the oldest first")
	f.BoolVar(&o.Query.Signatures, "show-signature", false, "verify and show signatures")
	return c
}

func newListCmd(a *app.App) *cobra.Command {
	o := history.Options{Table: true}
	c := &cobra.Command{
		Use: "list [<options>] [<skill>] [<rev> | <a>..<b>]... [-- <path>...]",
		Example: `git sage checkpoint list
git sage checkpoint list privacy -n 5`,
		Short: "List checkpoints",
		Long: `List checkpoints as 'git sage log' finds them: as a table on a terminal,
separated by tabs in a pipe (id, time, names, turns, tokens, confidence,
description), or as objects with --json.

A skill alone, as in 'checkpoint list privacy', lists its checkpoints on every
line. A line, tag or id of that name takes precedence; --skill <name> always
means the skill.`,
		RunE: func(c *cobra.Command, args []string) error {
			args, err := listOfSkill(a, c, &o, args)
			if err != nil {
				return err
			}
			return history.Print(a, c, o, args)
		},
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().SortFlags = false
	o.Filters(c.Flags(), "limit")
	history.CompleteFilters(a, c)
	return c
}
