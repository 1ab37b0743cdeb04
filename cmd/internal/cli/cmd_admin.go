package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/recall"
)

func newAdminCmd(a *app) *cobra.Command {
	return group("admin", "Keep the store in shape", "", newMaintenanceCmd(a), newRebuildCmd(a), newClearCacheCmd(a))
}

func newMaintenanceCmd(a *app) *cobra.Command {
	var auto, quiet bool
	cmd := &cobra.Command{
		Use:   "maintenance",
		Short: "Pack what was saved, and say what is hidden for its age",
		Long: `Packs the objects of the memory and says how many checkpoints lists hide by
checkpoint_max_age_days and checkpoint_max_count. Nothing is deleted: what was
packed and read back loses its loose copy, and packs that were made here become
one when there are more than ten. Packs of others are left alone.

Every 500 saves it runs by itself, in the background.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if auto {
				return a.maintainDue(c.Context())
			}
			return a.maintain(c.Context(), quiet)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&auto, "auto", false, "only if 500 saves have gathered, and at a low priority")
	f.BoolVarP(&quiet, "quiet", "q", false, "print only errors")
	return cmd
}

func (a *app) maintain(ctx context.Context, quiet bool) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	if quiet {
		_, err := m.Store.Maintain(ctx)
		return err
	}
	did, hidden, err := maintainAndCount(ctx, m)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"done": did, "hidden": hidden})
	}
	if _, err := fmt.Fprintln(a.out, visibleLines(did)); err != nil || hidden == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s hidden for age or number; 'git sage log --all' shows all\n", plural(hidden, "checkpoint"))
	return err
}

// maintainAndCount does both at once: each has to go through all of history.
func maintainAndCount(ctx context.Context, m *recall.Memory) (did string, hidden int, err error) {
	counted := make(chan error, 1)
	go func() {
		var err error
		hidden, err = m.Hidden(ctx)
		counted <- err
	}()
	did, err = m.Store.Maintain(ctx)
	if also := <-counted; err == nil {
		err = also
	}
	return did, hidden, err
}

// maintainDue is what a save starts and does not wait for. What goes wrong is
// for doctor to say: it stands in the store's own record.
func (a *app) maintainDue(ctx context.Context) error {
	stepBack()
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	return m.Store.MaintainDue(ctx)
}
