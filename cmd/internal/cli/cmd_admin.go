package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newAdminCmd(a *app) *cobra.Command {
	return group("admin", "Keep the store in shape", "",
		&cobra.Command{
			Use:   "maintenance",
			Short: "Pack what was saved, and say what is hidden for its age",
			Long: `Packs the objects of the memory and says how many checkpoints lists hide by
checkpoint_max_age_days and checkpoint_max_count. Nothing is deleted.`,
			Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.maintain(c.Context()) },
		},
	)
}

func (a *app) maintain(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	did, err := m.Store.Maintain(ctx)
	if err != nil {
		return err
	}
	hidden, err := m.Hidden(ctx)
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
