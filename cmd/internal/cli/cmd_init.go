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
Claude Code, as 'git sage mcp install' and 'git sage hooks install' do, for you in
this repository if no other scope is named; .claude/settings.local.json is then kept
out of git, too. If one of them cannot be done, nothing is.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if claude {
				return a.initClaude(c.Context(), scope)
			}
			if c.Flags().Changed("scope") {
				a.warn("'--scope' is for '--claude', without which nothing is installed")
			}
			return a.init(c.Context())
		},
	}
	c.Flags().BoolVar(&claude, "claude", false, "connect Claude Code, too")
	scopeFlag(c, &scope, install.Local)
	return c
}

// initClaude prepares all, or nothing.
func (a *app) initClaude(ctx context.Context, scope string) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	both := []install.Part{install.MCP, install.Hooks}
	if err := a.check(ctx, both, scope); err != nil {
		return err
	}
	if err := a.init(ctx); err != nil {
		return err
	}
	if _, err := a.change(ctx, installing{parts: both, scope: scope, do: install.Place.Install}); err != nil {
		return err
	}
	a.hint("'git sage hooks uninstall --scope %s; git sage mcp uninstall --scope %s' takes both out again", scope, scope)
	return nil
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
