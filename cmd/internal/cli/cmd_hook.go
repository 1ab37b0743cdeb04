package cli

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/hooks"
)

// newHookCmd is what Claude Code calls. It answers with status 0 whatever
// happens: any other status would stand in an agent's way.
func newHookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:                "hook <event>",
		Short:              "Answer an event of Claude Code",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			event := append(args, "")[0]
			status := hooks.Run(c.Context(), hooks.Options{
				In: a.in, Out: a.out, Env: a.env, Dir: a.dir, Home: a.home(), Now: a.now, Open: a.openHook,
			}, event)
			if status != 0 {
				return statusError(status)
			}
			return nil
		},
	}
}
