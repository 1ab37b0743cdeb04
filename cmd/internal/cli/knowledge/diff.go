package knowledge

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/recall"
)

func newKnowledgeDiffCmd(a *app.App) *cobra.Command {
	var exitCode bool
	c := &cobra.Command{
		Use:   "diff [--exit-code] <id> [<when> [<when>]]",
		Short: "Compare two states of an item, field by field",
		Long: `Compare an item at <when> with now, or with another time; without <when>, with
its state before the last change. <when> is a time as git reads it, a number of
changes ago, or a commit from 'git sage knowledge log'.`,
		Example: `git sage knowledge diff staging-wipe
git sage knowledge diff staging-wipe 2.weeks.ago yesterday`,
		Args:              item.Args(1, 3, "id", "when", "when"),
		RunE:              func(c *cobra.Command, args []string) error { return runKnowledgeDiff(c.Context(), a, args, exitCode) },
		ValidArgsFunction: item.Complete(a),
	}
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 if they differ")
	return c
}

func runKnowledgeDiff(ctx context.Context, a *app.App, args []string, exitCode bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	before, after, err := itemStates(ctx, m, args[0], args[1:])
	if err != nil {
		return err
	}
	d := diff.Items(before, after)
	defer a.Page()()
	if a.JSON {
		err = a.PrintJSON(d)
	} else {
		_, err = io.WriteString(a.Out, d.Text(a.Colored()))
	}
	if err == nil && exitCode && !d.Empty() {
		return exit.ErrNo
	}
	return err
}

// itemStates are the two states to compare; nil is none.
func itemStates(ctx context.Context, m *recall.Memory, key string, when []string) (before, after *sage.Item, err error) {
	if len(when) == 0 {
		return lastChange(ctx, m, key)
	}
	at := key + "@{" + when[0] + "}"
	if before, err = stateOf(ctx, m, at); err != nil {
		return nil, nil, err
	}
	at = key
	if len(when) > 1 {
		at += "@{" + when[1] + "}"
	}
	after, err = stateOf(ctx, m, at)
	if before == nil && after == nil && err == nil {
		err = item.Missing(ctx, m, &gitstore.NoItemError{ID: key, When: when[0]})
	}
	return before, after, err
}

// lastChange are the states around the last change of an item.
func lastChange(ctx context.Context, m *recall.Memory, key string) (before, after *sage.Item, err error) {
	log, err := m.Knowledge.ItemLog(ctx, key, 1)
	if err == nil && len(log) == 0 {
		err = &gitstore.NoItemError{ID: key}
	}
	if err != nil {
		return nil, nil, item.Missing(ctx, m, err)
	}
	if len(log[0].Parents) > 0 {
		if before, err = stateOf(ctx, m, key+"@{"+log[0].Parents[0]+"}"); err != nil {
			return nil, nil, err
		}
	}
	after, err = stateOf(ctx, m, key)
	return before, after, err
}

// stateOf is an item at a time, nil if there was none then.
func stateOf(ctx context.Context, m *recall.Memory, key string) (*sage.Item, error) {
	k, err := m.Knowledge.Item(ctx, key)
	var missing *gitstore.NoItemError
	switch {
	case errors.As(err, &missing) && missing.Writes == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return k.Item, k.Err
}
