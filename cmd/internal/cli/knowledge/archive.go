package knowledge

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

func newKnowledgeArchiveCmd(a *app.App) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:               "archive [-q] <id>...",
		Example:           "git sage knowledge archive staging-wipe",
		Short:             "Keep items but stop recalling them",
		Long:              "Keep items but stop recalling them. To recall them again, use\n'git sage knowledge update --status active <id>'.",
		Args:              item.Args(1, -1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return archiveItems(c.Context(), a, args, quiet) },
		ValidArgsFunction: item.Complete(a),
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func archiveItems(ctx context.Context, a *app.App, ids []string, quiet bool) error {
	err := changeItems(ctx, a, "archived", ids, quiet, func(it *sage.Item) error {
		it.Status = sage.Archived
		merge.SettleItem(it, "status")
		return nil
	})
	if err == nil && !quiet && !a.JSON {
		a.Hint("'git sage knowledge update %s --status active' undoes this", ids[0])
	}
	return err
}
