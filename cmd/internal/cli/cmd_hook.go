package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/hooks"
)

// newHookCmd is what Claude Code calls. It answers with status 0 whatever
// happens: any other status would stand in an agent's way.
func newHookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "hook <event>",
		Short: "Answer an event of Claude Code",
		Long: `Answers an event of Claude Code: session-start, user-prompt, stop or pre-compact, with
what the client says of it as JSON on standard input. 'git sage hooks install' sets it up.
It ends with status 0 whatever happens, and what went wrong stands in hooks.log beside
the memory. With --plugin it keeps silent if Claude Code's settings have the hook, too.`,
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			event := append(args, "")[0]
			if event == "-h" || event == "--help" {
				return c.Help()
			}
			o := hooks.Options{In: a.in, Out: a.out, Env: a.env, Dir: a.dir, Home: a.home(), Now: a.now, Open: a.openHook, Settings: a.hookSettings}
			if slices.Contains(args, "--plugin") {
				o.Elsewhere = a.clientPlace().Hooked
			}
			status := hooks.Run(c.Context(), o, event)
			if status != 0 {
				return statusError(status)
			}
			return nil
		},
	}
}
