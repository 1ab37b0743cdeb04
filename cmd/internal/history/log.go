package history

import (
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
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// Options say what is listed, and in what form.
type Options struct {
	Query   gitstore.Query
	trigger string
	Graph   bool
	Oneline bool
	Format  string
	Patch   bool // each is followed by what it changed
	Table   bool // as checkpoint list shows it
	Taken   int  // arguments before those that are left

	changes func(gitstore.Record) string // set for Patch
}

// Filters defines the options that log and list share. maxName is what the
// command calls its limit; --max-count is always understood.
func (o *Options) Filters(f *pflag.FlagSet, maxName string) {
	q := &o.Query
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

// CompleteFilters completes the values that can be known.
func CompleteFilters(a *app.App, c *cobra.Command) {
	c.RegisterFlagCompletionFunc("line", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return app.CompleteLines(a)(c, nil, word)
	})
	c.RegisterFlagCompletionFunc("trigger", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return sage.Words("trigger"), cobra.ShellCompDirectiveNoFileComp
	})
}

// Print is git sage log and git sage checkpoint list.
func Print(a *app.App, c *cobra.Command, o Options, args []string) error {
	q, err := o.build(c, args)
	if err == nil && o.Patch && a.JSON {
		err = usage.Errorf("options '--patch' and '--json' cannot be used together: 'git sage diff --json' compares")
	}
	if err != nil {
		return err
	}
	m, err := openProject(c.Context(), a, &q)
	if err != nil {
		return err
	}
	hidden := 0
	q.Limits, q.Hidden = m.Session.Query().Limits, &hidden
	for i, spec := range q.Paths {
		if q.Paths[i], err = a.Pathspec(m, spec); err != nil {
			return err
		}
	}
	defer func() { sayHidden(a, hidden, cmp.Or(q.Line, m.Store.Session.CurrentLine())) }() // behind the pager
	defer a.Page()()
	if o.Patch {
		o.changes = changes(c.Context(), a, m)
	}
	if o.Graph && !a.JSON {
		return logGraph(c.Context(), a, m, q, o)
	}
	records, err := m.Store.Commits.Log(c.Context(), q)
	if err != nil {
		return err
	}
	records = lists.Map(records, m.Provenance.Admitted)
	if len(records) == 0 {
		sayEmpty(c.Context(), a, m.Store)
	}
	if o.Table || a.JSON {
		line := ""
		if len(q.Revs) == 0 && !q.All {
			line = cmp.Or(q.Line, m.Store.Session.CurrentLine())
		}
		return PrintRecords(a, records, line)
	}
	return PrintEntries(a, records, o)
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
	a.Store, a.Memory, a.Git = m.Store, m, m.Store.Repo
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
		a.Say("%s", term.LowerFirst(NoCheckpoints(st)))
		if st.Lines > 0 {
			a.Hint("%s", OtherLines)
		}
	}
}

// build checks the options and takes the arguments apart.
func (o Options) build(c *cobra.Command, args []string) (gitstore.Query, error) {
	q := o.Query
	q.Revs = args
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		q.Revs, q.Paths = args[:dash-o.Taken], args[dash-o.Taken:]
	}
	if o.Graph && q.Reverse {
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

func logGraph(ctx context.Context, a *app.App, m *recall.Memory, q gitstore.Query, o Options) error {
	f, err := withChanges(a, o)
	if err != nil {
		return err
	}
	lines, err := m.Store.History.Graph(ctx, q, func(r gitstore.Record) string { return f(m.Provenance.Admitted(r)) })
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		sayEmpty(ctx, a, m.Store)
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(a.Out, l); err != nil {
			return err
		}
	}
	return nil
}

// OtherLines says where to look for checkpoints when the line where one stands has none.
const OtherLines = "other lines have some: 'git sage log --all' lists them"

// NoCheckpoints says how the line where one stands gets its first checkpoint.
func NoCheckpoints(st gitstore.Status) string {
	if st.Lines == 0 {
		return "No checkpoints yet: 'git sage save' makes one"
	}
	return fmt.Sprintf("No checkpoints on %s yet: 'git sage save' makes one", term.Visible(st.Line))
}
