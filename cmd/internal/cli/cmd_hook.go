package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/hooks"
)

// newHookCmd is what Claude Code calls. It answers with status 0 whatever
// happens: any other status would stand in an agent's way.
func newHookCmd(a *app) *cobra.Command {
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
				o.Elsewhere = clientPlace(a).Hooked
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
func serverName(ctx context.Context, a *app, plugin bool) string {
	if (plugin || clientPlace(a).HasPlugin()) && !served(ctx, a) {
		return "plugin_sage_sage"
	}
	return "sage"
}

// hookOptions are the world of a hook.
func hookOptions(a *app, in io.Reader, out io.Writer) hooks.Options {
	return hooks.Options{
		In: in, Out: out, Env: a.Env, Dir: a.Dir, Home: a.home(), Now: a.Now, Open: a.openHook,
		Settings: a.hookSettings, Later: a.laterHook(), Parent: os.Getppid(), Slack: a.slack,
	}
}

// answerHook answers an event that the server is asked at.
func answerHook(a *app) func(ctx context.Context, event string, in []byte) string {
	return func(ctx context.Context, event string, in []byte) string {
		var out strings.Builder
		hooks.Run(ctx, hookOptions(a, bytes.NewReader(in), &out), event)
		return out.String()
	}
}

// laterHook starts an event in a process of its own, which outlives the client. What it
// is told goes through a pipe that holds it all, so that nobody waits until it is read.
func (a *app) laterHook() func(event string, in []byte) error {
	if a.self == "" {
		return nil
	}
	return func(event string, in []byte) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		defer r.Close()
		cmd := exec.Command(a.self, "hook", event)
		cmd.Dir = filepath.VolumeName(a.Dir) + string(filepath.Separator) // so that no folder is in use for its sake
		cmd.Env, cmd.Stdin = upkeepEnv(a.Env, true), r
		detach(cmd)
		if err := start(cmd, nil); err != nil {
			w.Close()
			return err
		}
		_, err = w.Write(in[:min(len(in), pipeHolds)])
		return errors.Join(err, w.Close())
	}
}

// pipeHolds is what a pipe takes at once on every system. Two paths and an id are less.
const pipeHolds = 4 << 10
