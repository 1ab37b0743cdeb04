package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type logOptions struct {
	query   gitstore.Query
	trigger string
	graph   bool
	oneline bool
	format  string
	table   bool // as checkpoint list shows it
	taken   int  // arguments before those that are left
}

func newLogCmd(a *app.App) *cobra.Command {
	var o logOptions
	c := &cobra.Command{
		Use:   "log [<options>] [<rev> | <a>..<b>]... [-- <path>...]",
		Short: "Show the checkpoints of a line, newest first",
		Long: `Show checkpoints, newest first, from where you stand or from each <rev>. After
--, show only those that explored, changed or cite one of the paths, relative to
the current folder, or to the top with :/ before them.

In --format, placeholders mean what they mean in git log (%H %h %P %p %s %b %an
%ae %ad %ar %at %aI %d %D %n %x09 %C(red)); %(field) is a field of --json, such
as %(thesis), %(confidence) or %(trigger).`,
		Example: `git sage log --oneline --graph --all
git sage log -5 --grep token --since '2 weeks ago'
git sage log --format='%h %ar %(confidence) %s' -- internal/auth`,
		RunE:              func(c *cobra.Command, args []string) error { return printLog(a, c, o, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.graph, "graph", false, "draw a graph of the lineage")
	f.BoolVar(&o.oneline, "oneline", false, "print id and description on one line")
	f.StringVar(&o.format, "format", "", "print in this `format`: git's %h %s, and %(field) of --json")
	f.Var((*term.DateMode)(&a.Date), "date", "show dates in this `style`: relative, iso, short, ...; log.date is the default")
	o.filters(f, "max-count")
	completeFilters(a, c)
	f.BoolVar(&o.query.Reverse, "reverse", false, "show the oldest first")
	f.BoolVar(&o.query.Signatures, "show-signature", false, "verify and show signatures")
	return c
}

func newListCmd(a *app.App) *cobra.Command {
	o := logOptions{table: true}
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
			return printLog(a, c, o, args)
		},
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().SortFlags = false
	o.filters(c.Flags(), "limit")
	completeFilters(a, c)
	return c
}

// filters defines the options that log and list share. maxName is what the
// command calls its limit; --max-count is always understood.
func (o *logOptions) filters(f *pflag.FlagSet, maxName string) {
	q := &o.query
	f.IntVarP(&q.Max, maxName, "n", 0, "show at most this `number`")
	if maxName != "max-count" {
		f.IntVar(&q.Max, "max-count", 0, "show at most this `number`")
		f.Lookup("max-count").Hidden = true
	}
	f.IntVar(&q.Skip, "skip", 0, "skip the first `number`")
	f.StringVar(&q.Since, "since", "", "limit to what is newer than `date`")
	f.StringVar(&q.Until, "until", "", "limit to what is older than `date`")
	f.StringVar(&q.Author, "author", "", "limit to authors that match `pattern`")
	f.StringVar(&q.Grep, "grep", "", "limit to a description, thesis or question that matches `pattern`")
	f.BoolVarP(&q.IgnoreCase, "ignore-case", "i", false, "ignore case in patterns")
	f.StringVar(&q.Skill, "skill", "", "limit to this `skill`")
	f.StringVar(&q.Project, "project", "", "limit to this `project`: its name, or the path of a repository")
	f.StringVar(&o.trigger, "trigger", "", "limit to checkpoints saved for this `reason`")
	f.StringVar(&q.Line, "line", "", "limit to this `line`")
	f.BoolVar(&q.All, "all", false, "show every line and fork, and what is hidden by age")
	f.BoolVar(&q.Removed, "removed", false, "include what was removed")
}

// completeFilters completes the values that can be known.
func completeFilters(a *app.App, c *cobra.Command) {
	c.RegisterFlagCompletionFunc("line", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return app.CompleteLines(a)(c, nil, word)
	})
	c.RegisterFlagCompletionFunc("trigger", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return sage.Words("trigger"), cobra.ShellCompDirectiveNoFileComp
	})
}

// printLog is git sage log and git sage checkpoint list.
func printLog(a *app.App, c *cobra.Command, o logOptions, args []string) error {
	q, err := o.build(c, args)
	if err != nil {
		return err
	}
	m, err := openProject(c.Context(), a, &q)
	if err != nil {
		return err
	}
	hidden := 0
	q.Limits, q.Hidden = m.Query().Limits, &hidden
	for i, spec := range q.Paths {
		if q.Paths[i], err = a.Pathspec(m, spec); err != nil {
			return err
		}
	}
	defer func() { sayHidden(a, hidden, cmp.Or(q.Line, m.Store.CurrentLine())) }() // behind the pager
	defer a.Page()()
	if o.graph && !a.JSON {
		return logGraph(c.Context(), a, m.Store, q, o)
	}
	records, err := m.Store.Log(c.Context(), q)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		sayEmpty(c.Context(), a, m.Store)
	}
	if o.table || a.JSON {
		line := ""
		if len(q.Revs) == 0 && !q.All {
			line = cmp.Or(q.Line, m.Store.CurrentLine())
		}
		return printRecords(a, records, line)
	}
	return printEntries(a, records, o)
}

// sayHidden says how many checkpoints of a line its list left out, and what shows them.
func sayHidden(a *app.App, n int, line string) {
	if n > 0 {
		a.Hint("%s hidden by age or number (checkpoint_max_age_days, checkpoint_max_count): --all --line %s shows the whole line", term.Are(n, "checkpoint"), line)
	}
}

// openProject opens the memory that a list is about: that of the repository whose path
// stands in place of a project's name, as the tool before us had it, else the one at hand.
func openProject(ctx context.Context, a *app.App, q *gitstore.Query) (*recall.Memory, error) {
	if !recall.IsProjectPath(q.Project) {
		return a.Open(ctx)
	}
	dir := a.Path(q.Project)
	if a.Global {
		q.Project = filepath.Base(dir)
		return a.Open(ctx)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("--project '%s': %w", q.Project, errors.Unwrap(err))
	}
	a.Inside = true
	m, err := a.OpenGuest(ctx, dir, a.Session)
	if errors.Is(err, gitstore.ErrNotRepository) {
		err = fmt.Errorf("--project '%s': not in a git repository", q.Project)
	}
	if err != nil {
		return nil, err
	}
	a.Store, a.Memory, a.Git = m.Store, m, m.Store
	a.Dir, q.Project = dir, ""
	return m, nil
}

// sayEmpty says so if nothing is listed because nothing was saved on the line.
func sayEmpty(ctx context.Context, a *app.App, s *gitstore.Store) {
	st, err := s.Status(ctx)
	switch {
	case err != nil:
	case st.Lost != nil:
		a.Warn("%v", st.Lost)
	case st.Parent == nil:
		a.Say("%s", term.LowerFirst(noCheckpoints(st)))
		if st.Lines > 0 {
			a.Hint("%s", otherLines)
		}
	}
}

// build checks the options and takes the arguments apart.
func (o logOptions) build(c *cobra.Command, args []string) (gitstore.Query, error) {
	q := o.query
	q.Revs = args
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		q.Revs, q.Paths = args[:dash-o.taken], args[dash-o.taken:]
	}
	if o.graph && q.Reverse {
		return q, usage.Errorf("options '--graph' and '--reverse' cannot be used together")
	}
	if q.Max < 0 || q.Skip < 0 {
		return q, usage.Errorf("a number of checkpoints cannot be negative")
	}
	q.Wanted = c.Flags().Changed("max-count") || c.Flags().Changed("limit")
	if q.Max == 0 && q.Wanted { // git log -n 0 prints nothing; in a Query 0 is no limit.
		return q, errNothing
	}
	q.Trigger = sage.Trigger(o.trigger)
	return q, usage.NoEmpty(q.Revs)
}

// errNothing ends a command that has nothing to print with status 0.
var errNothing = exit.Status(exit.OK)

func logGraph(ctx context.Context, a *app.App, s *gitstore.Store, q gitstore.Query, o logOptions) error {
	f, err := entryFormat(a, o)
	if err != nil {
		return err
	}
	lines, err := s.Graph(ctx, q, f)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		sayEmpty(ctx, a, s)
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(a.Out, l); err != nil {
			return err
		}
	}
	return nil
}

// printEntries prints records as log does. Full entries are set apart by an
// empty line.
func printEntries(a *app.App, records []gitstore.Record, o logOptions) error {
	entry, err := entryFormat(a, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Out) // a write for each wakes the reader of a pipe each time
	for i, r := range records {
		if i > 0 && o.format == "" && !o.oneline {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, entry(r))
	}
	return out.Flush()
}
