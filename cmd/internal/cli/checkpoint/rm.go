package checkpoint

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

const rmLong = `Remove checkpoints from every list and line that holds them. Nothing is
rewritten: a tombstone is recorded and travels with the line.
'git sage checkpoint restore --removed <id>' brings them back.`

func newRmCmd(a *app.App) *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:     "rm [-q] <id>...",
		Example: "git sage checkpoint rm 3f2a91c0",
		Short:   "Remove checkpoints",
		Long:    rmLong,
		Args:    usage.RangeArgs(1, -1, "id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return Remove(cmd.Context(), a, args, quiet)
		},
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing")
	return cmd
}

// Remove removes the checkpoints that revs name, and says how they come back.
func Remove(ctx context.Context, a *app.App, revs []string, quiet bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	removed, err := m.Store.Checkpoints.Remove(ctx, revs)
	if errors.Is(err, gitstore.ErrNothing) {
		return fmt.Errorf("already removed: %w", err)
	}
	if err != nil {
		return err
	}
	return PrintRemoved(a, removed, quiet)
}

// PrintRemoved prints which checkpoints were removed, and how they come back.
func PrintRemoved(a *app.App, removed []gitstore.Record, quiet bool) error {
	a.Acted = legible.Count(len(removed), "checkpoint") + " removed"
	if err := history.PrintActed(a, "removed", removed, quiet); err != nil {
		return err
	}
	if len(removed) > 0 && !quiet {
		ids, it := "", "it"
		for _, r := range removed {
			ids += " " + a.Short(r.ID)
		}
		if len(removed) > 1 {
			it = "them"
		}
		a.Hint("'git sage checkpoint restore --removed%s' brings %s back", ids, it)
	}
	return nil
}
