package importing

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports/githistory"
)

// What is read and proposed at most if nobody says: a history of 50,000 commits is read in
// seconds, and a person goes through a hundred proposals at once.
const (
	usualCommits = 50_000
	usualItems   = 100
)

const historyLong = `Propose what the history of this repository decided: sentences of commit
messages that say what was decided, what is not to be done, or what is used
instead of something else, and why; subjects that choose something, with their
reason; why a commit was reverted; decision records; rules of CONTRIBUTING and
decisions of CHANGELOG. Each has its commit as source, and the files of the
commit as code references. About a quarter are no decisions. Only English is
read.

Nobody here stands for a proposal before 'git sage review' confirms it. Each is
proposed once: what you removed stays removed. With a range only the messages of
its commits are read. What does not fit into --max-items waits for the next run,
the strongest first.`

func newImportHistoryCmd(a *app.App) *cobra.Command {
	var o options
	var commits, items int
	c := &cobra.Command{
		Use:     "git-history [<range>] [--max-commits <n>] [--max-items <n>] [-n] [-q]",
		Short:   "Propose what commits and documents decided",
		Long:    historyLong,
		Example: "git sage import git-history --dry-run\ngit sage import git-history v1.0..HEAD",
		Args:    usage.RangeArgs(0, 1, "range"),
		RunE: func(c *cobra.Command, args []string) error {
			if commits < 1 || items < 1 {
				return usage.Errorf("--max-commits and --max-items want a number from 1")
			}
			return importHistory(c.Context(), a, o, githistory.Options{Range: args, Commits: commits, Items: items})
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&commits, "max-commits", usualCommits, "read at most the newest `n` commits")
	f.IntVar(&items, "max-items", usualItems, "propose at most `n` new items")
	f.BoolVar(&o.Again, "again", false, "propose also what was removed here since")
	f.BoolVarP(&o.DryRun, "dry-run", "n", false, "print the report and write nothing")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

func importHistory(ctx context.Context, a *app.App, o options, h githistory.Options) error {
	m, err := open(ctx, a, o)
	if err != nil {
		return err
	}
	if m.Stores.IsOwn() || a.IsOutside(m.Store) {
		return fmt.Errorf("there is no repository here whose history could be read")
	}
	r, err := githistory.Read(ctx, m.Store, h)
	if err != nil {
		return err
	}
	if !o.quiet && !a.JSON {
		a.Say("read %s", legible.Count(r.Commits, "commit"))
	}
	err = bringIn(ctx, a, m, r.Source, o)
	if r.Left > 0 && !o.quiet && !a.JSON {
		a.Hint("left %s for later: run the command again after the review, or with a larger --max-items", legible.Count(r.Left, "proposal"))
	}
	return err
}
