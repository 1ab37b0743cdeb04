package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

func newTodoCmd(a *app) *cobra.Command {
	return group("todo", "Keep what is still to be done", `A todo is an item of knowledge that is pending until it is done: it is in front of
every session until then. 'git sage knowledge' shows, changes and removes it.`,
		newTodoAddCmd(a),
		newTodoListCmd(a, "list", "List all todos, pending ones first", nil),
		newTodoListCmd(a, "pending", "List what is still to be done", []sage.Status{sage.Pending}),
		newTodoMarkCmd(a, "done", "Mark todos as done", sage.Done),
		newTodoMarkCmd(a, "reopen", "Mark todos as pending again", sage.Pending),
	)
}

func newTodoAddCmd(a *app) *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use:     "add [<options>] (<text> | -m <text> | -F <file> | -e)",
		Short:   "Add a todo",
		Long:    "Adds a todo. Without an id one is made of its first line, and said.",
		Example: "git sage todo add 'Rotate the signing keys' --keyword keys",
		Args:    rangeArgs(0, 1, "text"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.addTyped(c.Context(), &o, sage.Todo, args)
		},
	}
	o.typedFlags(c, sourceText)
	return c
}

// typedFlags are the options of commands that add items of one type, whose argument is
// the text itself.
func (o *addOptions) typedFlags(c *cobra.Command, texts ...itemText) {
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	f.StringVarP(&o.input.file, "file", "F", "", "read it from `file`; - is standard input")
	f.StringVar(&o.id, "id", "", "its `name`, by which it is shown, changed and linked")
	o.fields = addItemFlags(c, texts...)
	f.BoolVarP(&o.force, "force", "f", false, "replace one of that id")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
}

// addTyped adds an item of a type; args may be its text.
func (a *app) addTyped(ctx context.Context, o *addOptions, t sage.ItemType, args []string) error {
	if len(args) > 0 && o.input.file != "" {
		return usagef("option '--file' cannot be used with a text")
	}
	if len(args) > 0 {
		o.input.messages = append(args, o.input.messages...)
	}
	if err := o.input.take(a, nil, o.fields.set.Changed("approach")); err != nil {
		return err
	}
	it, err := o.input.item(a)
	if err != nil {
		return err
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	it.Type = t
	retype(it)
	a.rootPaths(m, o.fields)
	o.fields.apply(it, replaceList)
	if o.id != "" {
		it.ID = o.id
	}
	save := func(it *sage.Item) error { return a.addItem(ctx, m, o, it) }
	if o.input.edit {
		return a.editItem(ctx, m, string(it.Marshal()), itemHelp, "git sage knowledge add", save)
	}
	return save(it)
}

func newTodoListCmd(a *app, use, short string, statuses []sage.Status) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Long:  short + ", as 'git sage knowledge list' prints them.",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.todoList(c.Context(), statuses) },
	}
}

func (a *app) todoList(ctx context.Context, statuses []sage.Status) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	var items []recall.Known
	if statuses == nil {
		items, err = m.Items(ctx, recall.ItemQuery{Types: []sage.ItemType{sage.Todo}})
	} else {
		items, err = m.PendingTodos(ctx)
	}
	if err != nil {
		return err
	}
	if len(items) == 0 && !a.json {
		a.say("nothing is to be done: 'git sage todo add <text>' adds a todo")
	}
	var sorted []recall.Known
	for _, pending := range []bool{true, false} {
		for _, k := range items {
			if (k.Item.Status == sage.Pending) == pending {
				sorted = append(sorted, k)
			}
		}
	}
	defer a.page()()
	return a.printItems(sorted)
}

func newTodoMarkCmd(a *app, use, short string, to sage.Status) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   use + " [-q] <id>...",
		Short: short,
		Long:  short + ", in one commit.",
		Args:  itemArgs(1, -1, "id"),
		RunE:  func(c *cobra.Command, args []string) error { return a.todoMark(c.Context(), args, to, quiet) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			from := sage.Pending
			if to == sage.Pending {
				from = sage.Done
			}
			return a.completeItemsOf(c, recall.ItemQuery{Types: []sage.ItemType{sage.Todo}, Statuses: []sage.Status{from}}, word)
		},
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func (a *app) todoMark(ctx context.Context, ids []string, to sage.Status, quiet bool) error {
	act := "done"
	if to == sage.Pending {
		act = "reopened"
	}
	return a.changeItems(ctx, act, ids, quiet, func(it *sage.Item) error {
		if it.Type != sage.Todo {
			return withHint(fmt.Errorf("'%s' is no todo but of type %s", it.ID, it.Type), "'git sage todo list' lists the todos")
		}
		it.Status = to
		restate(it)
		it.Settle("status")
		return nil
	})
}
