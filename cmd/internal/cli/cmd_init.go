package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newInitCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Prepare the repository",
		Long: `Makes the folder sage in the git directory and keeps .sage/local out of git, and
says what it did. Saving works without it. Your branches, files, hooks and config
stay as they are.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.init(c.Context()) },
	}
}

func (a *app) init(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	did, err := m.Store.Init(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"did": notNil(did)})
	}
	if len(did) == 0 {
		did = []string{"nothing to do: all is prepared"}
	}
	for _, d := range did {
		if _, err := fmt.Fprintln(a.out, visible(d)); err != nil {
			return err
		}
	}
	return nil
}
