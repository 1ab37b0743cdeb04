package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

type logOptions struct {
	query   gitstore.Query
	trigger string
	graph   bool
	oneline bool
	format  string
	table   bool // as checkpoint list shows it
}

func newLogCmd(a *app) *cobra.Command {
	var o logOptions
	c := &cobra.Command{
		Use:   "log [<options>] [<rev> | <a>..<b>]... [-- <path>...]",
		Short: "Show the checkpoints of a line, newest first",
		Long: `Shows what was concluded, newest first, beginning where you stand or at each
<rev>. After --, only checkpoints that explored, changed or cite one of the paths,
which count from the current folder, and with :/ before them from the top.

In --format, git's placeholders stand for what they stand for in git log
(%H %h %P %p %s %b %an %ae %ad %ar %at %aI %d %D %n %x09 %C(red)), and
%(field) for a field of --json, such as %(thesis), %(confidence) or %(trigger).`,
		Example: `git sage log --oneline --graph --all
git sage log -5 --grep token --since '2 weeks ago'
git sage log --format='%h %ar %(confidence) %s' -- internal/auth`,
		RunE:              func(c *cobra.Command, args []string) error { return a.log(c, o, args) },
		ValidArgsFunction: a.completeRevs,
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.graph, "graph", false, "draw the lineage beside the checkpoints")
	f.BoolVar(&o.oneline, "oneline", false, "one line each: id and description")
	f.StringVar(&o.format, "format", "", "print each as `format` says: %h %s as git has them, %(field) of --json")
	f.Var((*dateMode)(&a.date), "date", "write dates in git's `way`: relative, iso, short, ...; else as log.date says")
	o.filters(f, "max-count")
	a.completeFilters(c)
	f.BoolVar(&o.query.Reverse, "reverse", false, "oldest first")
	f.BoolVar(&o.query.Signatures, "show-signature", false, "check the signatures and tell")
	return c
}

func newListCmd(a *app) *cobra.Command {
	o := logOptions{table: true}
	c := &cobra.Command{
		Use:   "list [<options>] [<rev> | <a>..<b>]... [-- <path>...]",
		Short: "List checkpoints",
		Long: `Lists checkpoints as 'git sage log' finds them: in a table on a terminal,
separated by tabs in a pipe (id, time, names, turns, tokens, confidence,
description), as objects with --json.`,
		RunE:              func(c *cobra.Command, args []string) error { return a.log(c, o, args) },
		ValidArgsFunction: a.completeRevs,
	}
	c.Flags().SortFlags = false
	o.filters(c.Flags(), "limit")
	a.completeFilters(c)
	return c
}

// filters defines the options that log and list share. maxName is what the
// command calls its limit; --max-count is always understood.
func (o *logOptions) filters(f *pflag.FlagSet, maxName string) {
	q := &o.query
	f.IntVarP(&q.Max, maxName, "n", 0, "at most this `number`")
	if maxName != "max-count" {
		f.IntVar(&q.Max, "max-count", 0, "at most this `number`")
		f.Lookup("max-count").Hidden = true
	}
	f.IntVar(&q.Skip, "skip", 0, "leave out the first `number`")
	f.StringVar(&q.Since, "since", "", "only newer than `date`")
	f.StringVar(&q.Until, "until", "", "only older than `date`")
	f.StringVar(&q.Author, "author", "", "only by authors that match `pattern`")
	f.StringVar(&q.Grep, "grep", "", "only with description, thesis or question that match `pattern`")
	f.BoolVarP(&q.IgnoreCase, "ignore-case", "i", false, "patterns match in either case")
	f.StringVar(&q.Skill, "skill", "", "only of this `skill`")
	f.StringVar(&q.Project, "project", "", "only of this `project`")
	f.StringVar(&o.trigger, "trigger", "", "only saved for this `reason`")
	f.StringVar(&q.Line, "line", "", "only of this `line`")
	f.BoolVar(&q.All, "all", false, "of every line and fork, also what is hidden for its age")
	f.BoolVar(&q.Removed, "removed", false, "also what was removed")
}

// completeFilters completes the values that can be known.
func (a *app) completeFilters(c *cobra.Command) {
	c.RegisterFlagCompletionFunc("line", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return a.completeLines(c, nil, word)
	})
	c.RegisterFlagCompletionFunc("trigger", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return sage.Words("trigger"), cobra.ShellCompDirectiveNoFileComp
	})
}

// log is git sage log and git sage checkpoint list.
func (a *app) log(c *cobra.Command, o logOptions, args []string) error {
	q, err := o.build(c, args)
	if err != nil {
		return err
	}
	m, err := a.open(c.Context())
	if err != nil {
		return err
	}
	q.Limits = m.Query().Limits
	for i, spec := range q.Paths {
		if q.Paths[i], err = a.pathspec(m, spec); err != nil {
			return err
		}
	}
	defer a.page()()
	if o.graph && !a.json {
		return a.logGraph(c.Context(), m.Store, q, o)
	}
	records, err := m.Store.Log(c.Context(), q)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		a.sayEmpty(c.Context(), m.Store)
	}
	if o.table || a.json {
		line := ""
		if len(q.Revs) == 0 && !q.All {
			line = cmp.Or(q.Line, m.Store.CurrentLine())
		}
		return a.printRecords(records, line)
	}
	return a.printEntries(records, o)
}

// sayEmpty says so if nothing is listed because nothing was saved.
func (a *app) sayEmpty(ctx context.Context, s *gitstore.Store) {
	if st, err := s.Status(ctx); err == nil && st.Lost != nil {
		a.warn("%v", st.Lost)
		return
	}
	some, err := s.Log(ctx, gitstore.Query{All: true, Removed: true, Max: 1})
	if err == nil && len(some) == 0 {
		a.say("nothing was saved yet: 'git sage checkpoint save --thesis <thesis>' saves")
	}
}

// build checks the options and takes the arguments apart.
func (o logOptions) build(c *cobra.Command, args []string) (gitstore.Query, error) {
	q := o.query
	q.Revs = args
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		q.Revs, q.Paths = args[:dash], args[dash:]
	}
	if o.graph && q.Reverse {
		return q, usagef("options '--graph' and '--reverse' cannot be used together")
	}
	if q.Max < 0 || q.Skip < 0 {
		return q, usagef("a number of checkpoints cannot be negative")
	}
	// git log -n 0 prints nothing; in a Query 0 is no limit.
	if f := c.Flags().Lookup("max-count"); q.Max == 0 && (f.Changed || c.Flags().Changed("limit")) {
		return q, errNothing
	}
	q.Trigger = sage.Trigger(o.trigger)
	return q, noEmpty(q.Revs)
}

// errNothing ends a command that has nothing to print with status 0.
var errNothing = statusError(exitOK)

func (a *app) logGraph(ctx context.Context, s *gitstore.Store, q gitstore.Query, o logOptions) error {
	f, err := a.entryFormat(o)
	if err != nil {
		return err
	}
	lines, err := s.Graph(ctx, q, f)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		a.sayEmpty(ctx, s)
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(a.out, l); err != nil {
			return err
		}
	}
	return nil
}

// printEntries prints records as log does. Full entries are set apart by an
// empty line.
func (a *app) printEntries(records []gitstore.Record, o logOptions) error {
	entry, err := a.entryFormat(o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.out) // a write for each wakes the reader of a pipe each time
	for i, r := range records {
		if i > 0 && o.format == "" && !o.oneline {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, entry(r))
	}
	return out.Flush()
}
