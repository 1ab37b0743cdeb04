package knowledge

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// deprecateOptions say why an item is no longer right, and what is in its place.
type deprecateOptions struct {
	by, reason   string
	force, quiet bool
}

func newKnowledgeDeprecateCmd(a *app.App) *cobra.Command {
	var o deprecateOptions
	c := &cobra.Command{
		Use:   "deprecate [--by <id>] [--reason <text>] <id>...",
		Short: "Mark items as no longer right",
		Long: `Mark items as no longer right, with the reason and the item to use instead. They
stay, rank below their replacement, and are shown as deprecated.`,
		Example:           "git sage knowledge deprecate redis-5 --by redis-7 --reason upgraded",
		Args:              item.Args(1, -1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return deprecate(c.Context(), a, o, args) },
		ValidArgsFunction: item.Complete(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.by, "by", "", "`id` of the item to use instead")
	f.StringVar(&o.reason, "reason", "", "why, as `text`")
	f.BoolVarP(&o.force, "force", "f", false, "even if the item of --by does not exist")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	c.RegisterFlagCompletionFunc("by", item.Complete(a))
	return c
}

// deprecate says of items that they are no longer right.
func deprecate(ctx context.Context, a *app.App, o deprecateOptions, ids []string) error {
	var targets []string
	if o.by != "" && !o.force {
		targets = []string{o.by}
	}
	edit := func(it *sage.Item) error { merge.Deprecate(it, o.by, o.reason); return nil }
	err := editItems(ctx, a, "deprecated", lists.Map(ids, func(id string) recall.ItemChange {
		return recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: edit}, Targets: targets}
	}), o.quiet)
	if err == nil && !o.quiet && !a.JSON {
		HintDeprecated(a, ids[0])
	}
	return orForced(err, targets)
}

// HintDeprecated says how an item that was deprecated is right again.
func HintDeprecated(a *app.App, id string) {
	a.Hint("'git sage knowledge update %s --status active' undoes this", id)
}

// orForced says of an item that is not there how to point to it all the same.
func orForced(err error, targets []string) error {
	var missing *gitstore.NoItemError
	if errors.As(err, &missing) && slices.Contains(targets, missing.ID) {
		return exit.WithHint(err, "-f links to it anyway")
	}
	return err
}
