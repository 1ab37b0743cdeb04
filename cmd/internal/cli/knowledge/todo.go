package knowledge

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/recall"
)

// NewTodo makes 'git sage todo'.
func NewTodo(a *app.App) *cobra.Command {
	todos := []string{string(sage.Todo)}
	return usage.Listing(usage.Group("todo", "Add, list and complete todos", `A todo is an item of knowledge that is shown to every session until it is done.
Use 'git sage knowledge' to show, change or remove it.`,
		newTodoAddCmd(a),
		newListOf(a, "list", "List all todos, pending ones first", ListOptions{Kinds: todos}),
		newListOf(a, "pending", "List pending todos", ListOptions{Kinds: todos, Statuses: []string{string(sage.Pending)}}),
		newTodoMarkCmd(a, "done", "Mark todos as done", sage.Done),
		newTodoMarkCmd(a, "reopen", "Mark todos as pending again", sage.Pending),
	))
}

func newTodoAddCmd(a *app.App) *cobra.Command {
	o := addOptions{kind: sage.Todo, command: "git sage todo add", empty: "say what is to be done: git sage todo add <text>"}
	return o.complete(a, &cobra.Command{
		Use:     "add [<options>] (<text> | -m <text> | -F <file> | -e)",
		Short:   "Add a todo",
		Long:    "Add a todo. Without --id, the id is made from its first line and printed.",
		Example: "git sage todo add 'Rotate the signing keys' --keyword keys",
	}, sourceText)
}

func newTodoMarkCmd(a *app.App, use, short string, to sage.Status) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:     use + " [-q] <id>...",
		Short:   short,
		Long:    short + ", in one commit.",
		Example: "git sage todo " + use + " rotate-signing-keys",
		Args:    item.Args(1, -1, "id"),
		RunE:    func(c *cobra.Command, args []string) error { return markTodos(c.Context(), a, args, to, quiet) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			from := sage.Pending
			if to == sage.Pending {
				from = sage.Done
			}
			return item.CompleteOf(a, c, recall.ItemQuery{Types: []sage.ItemType{sage.Todo}, Statuses: []sage.Status{from}}, word)
		},
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return item.TakeShortIDs(a, c)
}

func markTodos(ctx context.Context, a *app.App, ids []string, to sage.Status, quiet bool) error {
	act := "done"
	if to == sage.Pending {
		act = "reopened"
	}
	return changeItems(ctx, a, act, ids, quiet, func(it *sage.Item) error {
		if it.Type != sage.Todo {
			return exit.WithHint(fmt.Errorf("'%s' is not a todo but a %s", it.ID, it.Type.Kind()), "'git sage todo list' lists the todos")
		}
		it.Status = to
		restate(it)
		merge.SettleItem(it, "status")
		return nil
	})
}
