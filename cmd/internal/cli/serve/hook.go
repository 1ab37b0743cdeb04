package serve

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/hooks"
)

// NewHook is what Claude Code calls. It answers with status 0 whatever
// happens: any other status would stand in an agent's way.
func NewHook(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "hook <event>",
		Short: "Answer an event of Claude Code",
		Long: `Answer an event of Claude Code: session-start, session-end, user-prompt, stop,
pre-compact, post-compact, pre-tool-use, post-tool-use, tool-failure,
cwd-changed or subagent-start, described as JSON on standard input.
'git sage hooks install' sets this up. It always exits with status 0 and logs
errors to hooks.log beside the memory. With --plugin, do nothing if Claude
Code's settings have the hook too.`,
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if slices.Contains(args, "-h") || slices.Contains(args, "--help") {
				return c.Help()
			}
			event := append(args, "")[0]
			o := hookOptions(a, a.In, a.Out)
			o.Err = a.Err
			plugin := slices.Contains(args, "--plugin")
			if plugin {
				o.Elsewhere = connect.ClientPlace(a).Hooked
			}
			o.Server = func() string { return serverName(c.Context(), a, plugin) }
			status := hooks.Run(c.Context(), o, event)
			if status != 0 {
				return exit.Status(status)
			}
			return nil
		},
	}
}

// serverName is how Claude Code names our server in the names of its tools. The plugin's
// has one of its own, and keeps silent where the user has the server, too.
func serverName(ctx context.Context, a *app.App, plugin bool) string {
	if (plugin || connect.ClientPlace(a).HasPlugin()) && !connect.Served(ctx, a) {
		return "plugin_sage_sage"
	}
	return "sage"
}

// hookOptions are the world of a hook.
func hookOptions(a *app.App, in io.Reader, out io.Writer) hooks.Options {
	return hooks.Options{
		In: in, Out: out, Env: a.Env, Dir: a.Dir, Home: a.Home(), Now: a.Now, Open: a.OpenHook,
		Settings: a.HookSettings, Later: a.LaterHook(), Parent: os.Getppid(), Slack: a.Slack,
	}
}

// answerHook answers an event that the server is asked at.
func answerHook(a *app.App) func(ctx context.Context, event string, in []byte) string {
	return func(ctx context.Context, event string, in []byte) string {
		var out strings.Builder
		hooks.Run(ctx, hookOptions(a, bytes.NewReader(in), &out), event)
		return out.String()
	}
}
