package watcher

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/settings"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/watch"
)

// New makes 'git sage watcher'.
func New(a *app.App) *cobra.Command {
	return usage.Group("watcher", "Watch transcripts where hooks are off", watcherLong,
		&cobra.Command{
			Use:   "start",
			Short: "Start the watcher in the background",
			Long: `Start the watcher in the background, unless it runs. If an upgrade replaced the
program of a running one, that one is stopped first.`,
			Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return watcherStart(c.Context(), a) },
		},
		&cobra.Command{
			Use:   "stop",
			Short: "Stop the watcher",
			Long: `Ask the watcher to stop, and end it if it does not answer. No other process is
ever ended; files left by a killed watcher are removed.`,
			Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return watcherStop(c.Context(), a) },
		},
		&cobra.Command{
			Use:   "status",
			Short: "Show whether the watcher runs",
			Long: `Show whether the watcher runs, what it watches and how, and the end of its log;
with --json, as one object. Exit with status 1 if it does not run.`,
			Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return watcherStatus(c.Context(), a) },
		},
		newWatcherAutostartCmd(a),
		&cobra.Command{
			Use:    "run",
			Short:  "Be the watcher",
			Hidden: true,
			Args:   usage.NoArgs,
			RunE:   func(c *cobra.Command, _ []string) error { return watcherRun(c.Context(), a) },
		},
	)
}

const watcherLong = `Where Claude Code runs no hooks, the watcher reads its transcripts. After a
compaction it saves what is unsaved, in the repository of that session, and the
next call of a sage tool, or 'git sage continuity inject', restores the context
once. It also saves what a session left unsaved when it ended. Where hooks are
on they come first, and nothing is done twice. One watcher runs per user, for
all repositories; it stores no conversation.

The work is done by plugins: session, checkpoint-queue and recovery. To switch
one off (enabled: false), order them (priority: lower comes first) or set
recovery's salience_threshold, the weight from 0 to 1 from which a sentence is
saved unasked, by hooks too (0.5 by default), write ~/.sage/plugins.yaml:

  plugins:
    recovery:
      priority: 100
      settings:
        salience_threshold: 0.5`

func newWatcherAutostartCmd(a *app.App) *cobra.Command {
	var project, off bool
	c := &cobra.Command{
		Use:   "autostart [--project] [--off]",
		Short: "Start the watcher with the server",
		Long: `Set watcher_auto_start, so that 'git sage mcp' starts the watcher whenever it
starts: in ~/.sage/tuning.yaml or, with --project, in .sage/tuning.yaml of the
repository. --off removes the setting; a running watcher keeps running.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return watcherAutostart(c.Context(), a, project, off) },
	}
	c.Flags().BoolVar(&project, "project", false, "set it for this repository")
	c.Flags().BoolVar(&off, "off", false, "remove the setting")
	return c
}

// statusTail is how many lines of the log status shows.
const statusTail = 10

func watcherStart(ctx context.Context, a *app.App) error {
	if _, err := plugin.Load(a.Home()); err != nil {
		a.Warn("%v", err)
	}
	st, started, err := startWatcher(ctx, a)
	if err != nil {
		return err
	}
	said := "runs already"
	if started {
		said = "started"
	}
	if a.JSON {
		return a.PrintJSON(watcherJSON{Status: st, Log: watcherPlace(a).Log()})
	}
	_, err = fmt.Fprintf(a.Out, "%s: process %d watches %s by %s\n", said, st.PID, term.Visible(st.Folder), term.Visible(st.Mode))
	return err
}

func watcherStop(ctx context.Context, a *app.App) error {
	pid, err := watcherPlace(a).Stop(ctx)
	if err != nil {
		return err
	}
	if pid == 0 {
		a.Say("the watcher does not run")
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "stopped: process %d\n", pid)
	return err
}

// watcherJSON is what start and status print with --json.
type watcherJSON struct {
	watch.Status
	Autostart *bool    `json:"autostart,omitempty"` // of status: the server starts it here
	Log       string   `json:"log"`
	Tail      []string `json:"tail,omitempty"` // of the log
}

// startsAlone reports whether the server starts the watcher here: outside a repository, by
// what the person has set.
func startsAlone(ctx context.Context, a *app.App) bool {
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		c, err = config.Load(config.Sources{Env: a.Env, User: a.UserTuning()})
	}
	return err == nil && c.Bool("watcher_auto_start")
}

func watcherStatus(ctx context.Context, a *app.App) error {
	p := watcherPlace(a)
	st, err := p.Status(ctx)
	if err != nil {
		return err
	}
	if _, err := plugin.Load(a.Home()); err != nil {
		a.Warn("%v", err)
	}
	tail := p.Tail(statusTail)
	if a.JSON {
		alone := startsAlone(ctx, a)
		err = a.PrintJSON(watcherJSON{st, &alone, p.Log(), tail})
	} else {
		err = printWatcher(ctx, a, st, tail)
	}
	if err == nil && !st.Running {
		return exit.ErrNo
	}
	return err
}

func printWatcher(ctx context.Context, a *app.App, st watch.Status, tail []string) error {
	lines := []string{watcherLine(a, st)}
	if st.Running {
		lines = append(lines,
			fmt.Sprintf("watches %s by %s", term.Visible(st.Folder), term.Visible(st.Mode)),
			fmt.Sprintf("%s written to, %s in all, refs of %s", legible.Count(st.Sessions, "transcript"), legible.Count(st.Files, "transcript"), legible.Count(st.Stores, "store")))
	}
	alone := "autostart is not set: 'git sage watcher autostart' sets it"
	if startsAlone(ctx, a) {
		alone = "autostart is set: 'git sage mcp' starts it"
	}
	lines = append(lines, alone)
	if len(tail) > 0 {
		lines = append(lines, "log "+term.Visible(watcherPlace(a).Log())+":")
	}
	for _, l := range tail {
		lines = append(lines, "  "+term.Visible(l))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(a.Out, l); err != nil {
			return err
		}
	}
	if !st.Running {
		a.Hint("'git sage watcher start' starts it")
	}
	return nil
}

// watcherLine says in a line whether the watcher runs.
func watcherLine(a *app.App, st watch.Status) string {
	switch {
	case st.Running:
		return fmt.Sprintf("runs, started %s: process %d, version %s", term.Age(a.Now(), st.Since), st.PID, term.Visible(st.Version))
	case len(st.Stale) > 0:
		return "does not run; a killed one left " + term.Visible(st.Stale[0])
	}
	return "does not run"
}

func watcherAutostart(ctx context.Context, a *app.App, project, off bool) error {
	const key = "watcher_auto_start"
	s, err := settings.Destination{File: config.File{Path: a.UserTuning()}}, error(nil)
	if project {
		s, err = settings.DestinationOf(ctx, a, settings.Reach{Project: true})
	}
	if err != nil {
		return err
	}
	f := s.File
	said := "is true: 'git sage mcp' starts the watcher"
	if off {
		var gone []string
		if gone, err = f.Reset(key); len(gone) == 0 {
			said = "was not set; nothing was changed"
		} else {
			said = "is not set any more"
		}
	} else {
		err = f.Set(key, "true")
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(struct {
			Path string `json:"path"`
			On   bool   `json:"on"`
		}{f.Path, !off})
	}
	if _, err := fmt.Fprintf(a.Out, "%s: %s %s\n", term.Visible(f.Path), key, said); err != nil {
		return err
	}
	return stillOn(ctx, a, key, off)
}

// stillOn says so where another place has the setting as well.
func stillOn(ctx context.Context, a *app.App, key string, off bool) error {
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		return err
	}
	if e := c.Entry(key); c.Bool(key) == off {
		a.Hint("it is still %s here, from %s", e.Text(), a.SourceText(e.Source))
	}
	return nil
}

// polls says whether the watcher looks for changes by itself. It belongs to no repository.
func polls(a *app.App) bool {
	c, err := config.Load(config.Sources{Env: a.Env, User: a.UserTuning()})
	return err == nil && c.Bool("watcher_poll")
}
