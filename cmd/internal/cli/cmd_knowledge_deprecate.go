package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
)

type deprecateOptions struct {
	by, reason   string
	force, quiet bool
}

func newKnowledgeDeprecateCmd(a *app) *cobra.Command {
	var o deprecateOptions
	c := &cobra.Command{
		Use:   "deprecate [--by <id>] [--reason <text>] <id>...",
		Short: "Say that an item is no longer right",
		Long: `Says that items are no longer right, why, and which one to use in their place. They
stay, rank below what replaced them, and say so.`,
		Example:           "git sage knowledge deprecate redis-5 --by redis-7 --reason upgraded",
		Args:              itemArgs(1, -1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return a.knowledgeDeprecate(c.Context(), o, args) },
		ValidArgsFunction: a.completeItems,
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.by, "by", "", "`id` of the item to use in its place")
	f.StringVar(&o.reason, "reason", "", "why, as `text`")
	f.BoolVarP(&o.force, "force", "f", false, "even if there is no item --by")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	c.RegisterFlagCompletionFunc("by", a.completeItems)
	return c
}

func (a *app) knowledgeDeprecate(ctx context.Context, o deprecateOptions, ids []string) error {
	if err := a.mustBeItem(ctx, o.by, o.force); o.by != "" && err != nil {
		return err
	}
	err := a.changeItems(ctx, "deprecated", ids, o.quiet, func(it *sage.Item) error {
		it.Status, it.Reason, it.Replacement = sage.Deprecated, o.reason, o.by
		it.Settle("status", "reason", "replacement")
		return nil
	})
	if err == nil && !o.quiet && !a.json {
		a.hint("'git sage knowledge update %s --status active' takes it back", ids[0])
	}
	return err
}

// mustBeItem makes sure that there is an item to point to, unless forced.
func (a *app) mustBeItem(ctx context.Context, id string, force bool) error {
	if force {
		return nil
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	if _, err := m.Item(ctx, id); err != nil {
		return withHint(a.missingItem(ctx, m, err), "-f points to it all the same")
	}
	return nil
}
