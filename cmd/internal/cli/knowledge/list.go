package knowledge

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// The kinds of knowledge beside the types of items.
const (
	noteKind = "note"
	coreKind = "core"
)

// kinds are all that a list may be narrowed to.
func kinds() []string {
	return append(sage.Kinds(), noteKind, coreKind)
}

// ListOptions say what to list; the zero ListOptions are all that holds.
type ListOptions struct {
	Kinds, Statuses []string
	Skill           string
	All             bool
	withoutWhen     bool
}

// NewList makes 'git sage list'.
func NewList(a *app.App) *cobra.Command {
	var o ListOptions
	c := &cobra.Command{
		Use:   "list [<options>] [<pattern>...]",
		Short: "List items, pinned notes and core files",
		Long: `List the items of the repository and your own by id, then pinned notes and core
files. Items that are archived, deprecated, superseded or older than
knowledge_max_age_days are left out. A <pattern> matches ids; * stands for any
text.

On a terminal, print a table; an id cut off with an ellipsis still works in
commands. In a pipe, separate id, kind, status, time of the last change, 'own'
for your own or 'private' for what stays in this clone, keywords and title by
tabs. With --json, print objects.`,
		Example: `git sage list --kind preference
git sage list --status archived 'db-*'
git sage list --without-when       # items that need a request`,
		RunE:              func(c *cobra.Command, args []string) error { return runList(c.Context(), a, o, args) },
		ValidArgsFunction: item.Complete(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVar(&o.Kinds, "kind", nil, "limit to this `kind`: "+strings.Join(kinds(), ", ")+" (repeatable)")
	f.StringArrayVar(&o.Kinds, "type", nil, "the same")
	f.Lookup("type").Hidden = true
	f.StringVar(&o.Skill, "skill", "", "limit to this `skill`")
	f.StringArrayVar(&o.Statuses, "status", nil, "limit to this `status` (repeatable)")
	f.BoolVar(&o.All, "all", false, "list every status and age")
	f.BoolVar(&o.withoutWhen, "without-when", false, "list items without a --when request, last recalled first")
	for _, option := range []string{"kind", "type"} {
		c.RegisterFlagCompletionFunc(option, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return kinds(), cobra.ShellCompDirectiveNoFileComp
		})
	}
	completeWords(c, "status", "status")
	return c
}

// newListOf makes the list command of a noun: that of all kinds, narrowed to one.
func newListOf(a *app.App, use, short string, o ListOptions) *cobra.Command {
	as := "git sage list --kind " + o.Kinds[0]
	for _, s := range o.Statuses {
		as += " --status " + s
	}
	c := &cobra.Command{
		Use:   use + " [--all]",
		Short: short,
		Long:  short + ", as '" + as + "' does.",
		Args:  usage.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return runList(c.Context(), a, o, nil) },
	}
	c.Flags().BoolVar(&o.All, "all", o.All, "list every status and age")
	return c
}

// NothingOf says of lists of one kind that there is none, and how to add one.
var NothingOf = map[string]string{
	"":                   "no items yet: 'git sage remember <text>' adds an item",
	string(sage.Todo):    "no todos: 'git sage todo add <text>' adds a todo",
	string(sage.Failure): "no failures: 'git sage failure add --approach <text>' adds one",
	noteKind:             "no pinned notes: 'git sage note add <text>' pins one",
	coreKind:             "no core files: 'git sage core add <path> --summary <text>' marks one",
}

func runList(ctx context.Context, a *app.App, o ListOptions, patterns []string) error {
	if err := o.check(); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if o.withoutWhen {
		return listWithoutWhen(ctx, a, m, o, patterns)
	}
	rows, aged, err := o.rows(ctx, m)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r listRow) bool { return !usage.MatchesAny(patterns, r.id) })
	if said := NothingOf[strings.Join(o.Kinds, " ")]; len(rows) == 0 && aged == 0 && len(patterns) == 0 && o.Skill == "" && said != "" {
		a.Say("%s", said)
	}
	if len(rows) == 0 && len(patterns) == 1 && slices.Contains(kinds(), sage.TypeOf(patterns[0]).Kind()) {
		a.Hint("no id is '%[1]s': 'git sage list --kind %[1]s' lists items of that kind", sage.TypeOf(patterns[0]).Kind())
	}
	defer func() { // behind the pager
		if aged > 0 {
			a.Hint("%s hidden by age (knowledge_max_age_days): --all shows all", term.Are(aged, "item"))
		}
	}()
	defer a.Page()()
	short, err := shownIDs(ctx, a, m)
	if err != nil {
		return err
	}
	return printRows(a, rows, short)
}

// rows are what is wanted, and how many are left out for their age.
func (o ListOptions) rows(ctx context.Context, m *recall.Memory) (rows []listRow, aged int, err error) {
	items, aged, err := o.items(ctx, m)
	if err != nil {
		return nil, 0, err
	}
	rows = itemRows(ctx, m, items)
	if !o.wants(coreKind) || o.Skill != "" || len(o.Statuses) > 0 && !slices.Contains(o.Statuses, string(sage.Active)) {
		return rows, aged, nil
	}
	files, err := m.Store.Knowledge.CoreFiles(ctx)
	for _, f := range files {
		if !m.Provenance.WithholdsCore(f) {
			rows = append(rows, coreRow(m, f))
		}
	}
	return rows, aged, err
}

// Objects are what list --json prints, and how many are left out for their age.
func (o ListOptions) Objects(ctx context.Context, m *recall.Memory) (list []any, aged int, err error) {
	if err := o.check(); err != nil {
		return nil, 0, err
	}
	rows, aged, err := o.rows(ctx, m)
	return lists.Map(rows, func(r listRow) any { return r.object() }), aged, err
}

// listWithoutWhen lists the items to which a request in other words is to be added, those
// that matter most first.
func listWithoutWhen(ctx context.Context, a *app.App, m *recall.Memory, o ListOptions, patterns []string) error {
	if o.All || len(o.Statuses) > 0 {
		return usage.Errorf("option '--without-when' cannot be used with '--all' or '--status'")
	}
	items, err := m.Review.WithoutWhen(ctx)
	if err != nil {
		return err
	}
	items = slices.DeleteFunc(items, func(k recall.Known) bool {
		return !o.wants(k.Item.Type.Kind()) || o.Skill != "" && !slices.Contains(k.Item.Scope.Skills, o.Skill) || !usage.MatchesAny(patterns, k.Item.ID)
	})
	if len(items) == 0 {
		a.Say("every item has a request (--when)")
	}
	defer a.Page()()
	short, err := shownIDs(ctx, a, m)
	if err != nil {
		return err
	}
	return printRows(a, itemRows(ctx, m, items), short)
}

// shownIDs is how ids are shown: on a terminal they leave room for the title.
func shownIDs(ctx context.Context, a *app.App, m *recall.Memory) (func(string) string, error) {
	if !a.TTY || a.JSON || a.Width == 0 {
		return func(id string) string { return id }, nil
	}
	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	return item.ShortIDs(lists.Map(items, func(k recall.Known) string { return k.Item.ID }), max(a.Width/4, 12)), err
}

// check refuses what is no kind or status.
func (o *ListOptions) check() error {
	for i, k := range o.Kinds {
		o.Kinds[i] = sage.TypeOf(k).Kind()
		if !slices.Contains(kinds(), o.Kinds[i]) {
			return usage.Errorf("unknown kind '%s': want one of %s", k, strings.Join(kinds(), ", "))
		}
	}
	for _, s := range o.Statuses {
		if !slices.Contains(sage.ItemWords("status"), s) {
			return usage.Errorf("unknown status '%s': want one of %s", s, strings.Join(sage.ItemWords("status"), ", "))
		}
	}
	return nil
}

func (o ListOptions) wants(kind string) bool {
	return len(o.Kinds) == 0 || slices.Contains(o.Kinds, kind)
}

// only reports whether a kind alone is wanted.
func (o ListOptions) only(kind string) bool { return len(o.Kinds) == 1 && o.Kinds[0] == kind }

// items are the items and notes that are wanted, and how many are left out for their age.
func (o ListOptions) items(ctx context.Context, m *recall.Memory) (items []recall.Known, aged int, err error) {
	q := recall.ItemQuery{Skill: o.Skill, All: o.All, Hidden: &aged}
	for _, s := range o.Statuses {
		q.Statuses = append(q.Statuses, sage.Status(s))
	}
	for _, k := range o.Kinds {
		if k != noteKind && k != coreKind {
			q.Types = append(q.Types, sage.TypeOf(k))
		}
	}
	pending := slices.Equal(q.Statuses, []sage.Status{sage.Pending})
	switch {
	case o.only(string(sage.Todo)) && pending && !o.All && o.Skill == "":
		items, err = m.Knowledge.PendingTodos(ctx) // without reading all items
	case len(o.Kinds) == 0 || len(q.Types) > 0:
		items, err = m.Knowledge.Items(ctx, q)
	}
	if o.only(string(sage.Todo)) {
		slices.SortStableFunc(items, func(a, b recall.Known) int { return isPending(b) - isPending(a) })
	}
	if err != nil || !o.wants(noteKind) || o.Skill != "" {
		return items, aged, err
	}
	notes, err := m.Knowledge.ItemsUnder(ctx, item.Note.Shelf)
	for _, k := range notes {
		if o.All || len(q.Statuses) == 0 || slices.Contains(q.Statuses, k.Item.Status) {
			items = append(items, k)
		}
	}
	return items, aged, err
}

// isPending is 1 of a todo that is still to be done.
func isPending(k recall.Known) int {
	if k.Item.Status == sage.Pending {
		return 1
	}
	return 0
}
