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

	"github.com/git-sage/git-sage/hooks"
)

// newHookCmd is what Claude Code calls. It answers with status 0 whatever
// happens: any other status would stand in an agent's way.
func newHookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "hook <event>",
		Short: "Answer an event of Claude Code",
		Long: `Answers an event of Claude Code: session-start, session-end, user-prompt, stop,
pre-compact, post-compact, post-tool-use, cwd-changed or subagent-start, with what
the client says of it as JSON on standard input. 'git sage hooks install' sets it up.
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
			o := a.hookOptions(a.in, a.out)
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

// hookOptions are the world of a hook.
func (a *app) hookOptions(in io.Reader, out io.Writer) hooks.Options {
	return hooks.Options{
		In: in, Out: out, Env: a.env, Dir: a.dir, Home: a.home(), Now: a.now, Open: a.openHook,
		Settings: a.hookSettings, Later: a.laterHook(), Parent: os.Getppid(),
	}
}

// answerHook answers an event that the server is asked at.
func (a *app) answerHook(ctx context.Context, event string, in []byte) string {
	var out strings.Builder
	hooks.Run(ctx, a.hookOptions(bytes.NewReader(in), &out), event)
	return out.String()
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
		cmd.Dir = filepath.VolumeName(a.dir) + string(filepath.Separator) // so that no folder is in use for its sake
		cmd.Env, cmd.Stdin = upkeepEnv(a.env, true), r
		detach(cmd)
		if err := cmd.Start(); err != nil {
			w.Close()
			return err
		}
		_, err = w.Write(in[:min(len(in), pipeHolds)])
		return errors.Join(err, w.Close(), cmd.Process.Release())
	}
}

// pipeHolds is what a pipe takes at once on every system. Two paths and an id are less.
const pipeHolds = 4 << 10
