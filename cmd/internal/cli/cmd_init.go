package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/hooks/install"
)

func newInitCmd(a *app) *cobra.Command {
	var claude bool
	var scope string
	c := &cobra.Command{
		Use:   "init [--claude [--scope user|project|local]]",
		Short: "Prepare the repository",
		Long: `Makes the folder sage in the git directory and keeps .sage/local out of git, and
says what it did. Saving works without it. Your branches, files, hooks and config
stay as they are. With --claude it also installs the hooks and the server for
Claude Code, as 'git sage hooks install' and 'git sage mcp install' do.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.init(c.Context()); err != nil || !claude {
				return err
			}
			return a.install(c.Context(), []install.Part{install.MCP, install.Hooks}, "", scope, false, install.Place.Install)
		},
	}
	c.Flags().BoolVar(&claude, "claude", false, "connect Claude Code, too")
	scopeFlag(c, &scope, install.Local)
	return c
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
