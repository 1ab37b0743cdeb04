package admin

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// NewContinuity makes 'git sage continuity'.
func NewContinuity(a *app.App) *cobra.Command {
	c := usage.Group("continuity", "Restore a session's context after a compaction", `When a client compacts a conversation, a mark is left for the session. What the
session knew is then restored once, by whichever comes first: its start after
the compaction, the next call of a sage tool, or 'inject'. Set
continuity_enabled to false to switch this off. Without a command, show the
status.`,
		&cobra.Command{
			Use:   "status",
			Short: "Show what is to be restored",
			Long: `Show what is to be restored to this session, or outside of one, to any session:
its session, the time of the mark, the reason and the checkpoint, as a table on
a terminal, separated by tabs in a pipe, or as objects with --json.`,
			Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return continuityStatus(c.Context(), a) },
		},
		newContinuityClearCmd(a),
		newContinuityMarkCmd(a),
		&cobra.Command{
			Use:   "inject",
			Short: "Print what is to be restored, once",
			Long: `Print what is to be restored to this session, once: the last checkpoint with
substance, what else the session saved, and the items and failures that fit it.
Outside of a session, restore the one session that is marked; if several are,
name one with --session. Exit with status 1 if nothing, or more than one
session, is marked.`,
			Args: usage.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return continuityInject(c.Context(), a) },
		},
	)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage.UnknownVerb(c, args)
		}
		return continuityStatus(c.Context(), a)
	}
	return c
}

func newContinuityClearCmd(a *app.App) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "clear [-f]",
		Short: "Clear the mark, and restore nothing",
		Long: `Clear the mark of this session, or outside of one, of the work tree, so that
nothing is restored. Nothing that was saved is lost.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return continuityClear(c.Context(), a, force) },
	}
	c.Flags().BoolVarP(&force, "force", "f", false, "clear the marks of all sessions, even during a restore")
	return c
}

func newContinuityMarkCmd(a *app.App) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:   "mark [--reason <text>]",
		Short: "Mark the session to be restored",
		Long: `Mark this session to be restored to where it is now, as the hooks do before a
compaction. Outside of a session, mark the next session in this work tree.`,
		Example: "git sage continuity mark --reason 'before a long detour'",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return continuityMark(c.Context(), a, reason) },
	}
	c.Flags().StringVar(&reason, "reason", "manual", "why, as one line of `text`")
	return c
}

func continuityStatus(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if m.Stores.Settings().NoContinuity {
		a.Warn("%v", recall.ErrNoContinuity)
	}
	list, err := m.Store.Session.Markers(m.Store.Repo.Session() == "")
	if err != nil {
		return err
	}
	if len(list) == 0 && !a.JSON {
		a.Say("nothing to restore")
	}
	t := term.Table{Head: []string{"session", "marked", "reason", "checkpoint"}}
	for _, w := range list {
		if a.JSON {
			if err := a.PrintJSON(wire.MarkerOf(w)); err != nil {
				return err
			}
			continue
		}
		at := w.Time.Format(time.RFC3339)
		if a.TTY {
			at = term.Age(a.Now(), w.Time)
		}
		t.Add(w.Session, at, w.Cause(), a.Short(w.Checkpoint))
	}
	return t.Print(&a.Terminal)
}

func continuityClear(ctx context.Context, a *app.App, force bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	n, err := m.Store.Session.ClearMarkers(force)
	if err != nil {
		return err
	}
	if n > 0 {
		_, err = fmt.Fprintf(a.Out, "cleared %s\n", legible.Count(n, "mark"))
		return err
	}
	a.Say("nothing to restore")
	if list, _ := m.Store.Session.Markers(true); len(list) > 0 {
		a.Hint("other sessions have %s: 'git sage continuity clear --force' clears all, '--session <session>' one", legible.Count(len(list), "mark"))
	}
	return nil
}

func continuityMark(ctx context.Context, a *app.App, reason string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if err := m.Continuity.Mark(ctx, gitstore.Marker{Reason: reason}); err != nil {
		return err
	}
	if a.JSON {
		return printMarked(a, m)
	}
	whose := "this session"
	if m.Store.Repo.Session() == "" {
		whose = "the next session in this work tree"
	}
	_, err = fmt.Fprintf(a.Out, "marked: %s will be restored to this point\n", whose)
	return err
}

// printMarked prints the mark that was just made.
func printMarked(a *app.App, m *recall.Memory) error {
	list, err := m.Store.Session.Markers(false)
	if err != nil || len(list) == 0 { // somebody has got it already
		return err
	}
	return a.PrintJSON(wire.MarkerOf(list[0]))
}

func continuityInject(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	back, err := m.Continuity.Claim(ctx)
	if back == nil && err == nil && m.Store.Repo.Session() == "" {
		back, err = onlyContinuity(ctx, a, m)
	}
	if err != nil {
		return err
	}
	if back == nil {
		a.Say("nothing to restore")
		return exit.ErrNo
	}
	text, err := back.Bundle(ctx, 0)
	if err == nil {
		err = printBack(a, back, text)
	}
	if err != nil {
		back.Release()
		return err
	}
	return back.Delivered()
}

// onlyContinuity is what waits for a session, to somebody who is in none, if it waits for
// one session alone. Of several, the person says which.
func onlyContinuity(ctx context.Context, a *app.App, m *recall.Memory) (*recall.Continuity, error) {
	list, err := m.Store.Session.Markers(true)
	if err != nil || m.Stores.Settings().NoContinuity {
		return nil, err
	}
	var sessions []string
	for _, w := range list {
		if w.Session != "" && !slices.Contains(sessions, w.Session) {
			sessions = append(sessions, w.Session)
		}
	}
	switch len(sessions) {
	case 0:
		return nil, nil
	case 1:
		a.Session = sessions[0]
		if m, err = a.Open(ctx); err != nil {
			return nil, err
		}
		return m.Continuity.Claim(ctx)
	}
	a.Say("%d sessions are marked; name one:", len(sessions))
	for _, s := range sessions {
		a.Hint("git sage continuity inject --session %s", term.ShellWord(s))
	}
	return nil, exit.ErrNo
}

func printBack(a *app.App, back *recall.Continuity, text string) error {
	if !a.JSON {
		_, err := fmt.Fprintln(a.Out, text)
		return err
	}
	j := wire.MarkerOf(back.Marker)
	j.Text = text
	return a.PrintJSON(j)
}
