package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

type undoOptions struct {
	last  bool
	quiet bool
	max   int
}

// NewUndo makes 'git sage undo'.
func NewUndo(a *app.App) *cobra.Command {
	o := undoOptions{max: 10}
	c := &cobra.Command{
		Use:   "undo [-n <number>] | [-q] (--last | <n> | <id>)",
		Short: "List recent actions, or undo one",
		Long: `Without an argument, list what was done here, newest first: saves, merges,
removals, changes of lines, tags and knowledge, confirmations. With the number
or id of an action, or the id of a checkpoint, undo it; --last undoes the
newest. What others did is not listed: the merge that brought it here is one
action, and stays while a remote has it.

An undo is an action too; undo it to redo. Nothing is lost: a line returns to
where it was and what it held stays in git (refs/sage/repairs/undone/); items
and files of the knowledge are restored by a new commit. An undo is refused,
with what to type instead, if a line moved on, a file changed, a remote has what
would go, or a purge came in between.

A remote counts as having what the last fetch, or a push to a remote that is set
up to carry the memory, shows. A push of 'refs/sage/...' by hand leaves no
trace.`,
		Example: "git sage undo\ngit sage undo --last\ngit sage undo 3",
		Args:    usage.RangeArgs(0, 1, "id"),
		RunE:    func(c *cobra.Command, args []string) error { return runUndo(c.Context(), a, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.last, "last", false, "undo the newest action")
	f.IntVarP(&o.max, "max-count", "n", o.max, "list at most this `number` of actions; 0 lists all")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing")
	return c
}

func runUndo(ctx context.Context, a *app.App, o undoOptions, args []string) error {
	switch {
	case o.last && len(args) > 0:
		return usage.Errorf("option '--last' cannot be used with '%s'", args[0])
	case o.max < 0:
		return usage.Errorf("-n must not be negative: %d", o.max)
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	var act gitstore.Act
	switch {
	case len(args) > 0:
		act, err = m.Store.Acts.Find(ctx, args[0])
	case o.last:
		act, err = lastAct(ctx, m)
	default:
		return listActs(ctx, a, m, o.max)
	}
	if err != nil {
		return err
	}
	out, err := m.Write.Undo(ctx, act)
	var refused *gitstore.UndoError
	if errors.As(err, &refused) {
		return exit.WithHint(fmt.Errorf("cannot undo '%s': %w", act.What, err), "%s", hint.Sentence(refused.Instead))
	}
	if err != nil {
		return err
	}
	return printUndone(a, out, o.quiet)
}

// lastAct is the newest act that somebody did in this repository. It is refused where the
// user's own store has a newer: a preference goes there, whoever types it where.
func lastAct(ctx context.Context, m *recall.Memory) (gitstore.Act, error) {
	acts, err := m.Store.Acts.List(ctx, 0)
	if err != nil {
		return gitstore.Act{}, err
	}
	if own, ok := newerOwnAct(ctx, m, acts); ok {
		hint := "'git sage undo --global --last' undoes it"
		if len(acts) > 0 {
			hint += ", 'git sage undo 1' undoes the newest in this repository"
		}
		return gitstore.Act{}, exit.WithHint(fmt.Errorf("the last action was in your own store: '%s'", term.Visible(own.What)), "%s", hint)
	}
	if i := slices.IndexFunc(acts, func(a gitstore.Act) bool { return !a.Along }); i >= 0 {
		return acts[i], nil
	}
	return m.Store.Acts.Find(ctx, "1")
}

// newerOwnAct is the newest act of the user's own store, if there is one that is newer than
// those of this repository, which come newest first.
func newerOwnAct(ctx context.Context, m *recall.Memory, acts []gitstore.Act) (own gitstore.Act, ok bool) {
	s, err := m.Stores.Own(ctx)
	if s == nil || err != nil {
		return own, false // what cannot be read is told by what needs it
	}
	l, err := s.Acts.List(ctx, 1)
	if err != nil || len(l) == 0 {
		return own, false
	}
	return l[0], len(acts) == 0 || l[0].At.After(acts[0].At)
}

func listActs(ctx context.Context, a *app.App, m *recall.Memory, most int) error {
	acts, err := m.Store.Acts.List(ctx, most)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"n", "id", "when", "what"}}
	for i, act := range acts {
		if a.JSON {
			j := wire.ActOf(act)
			j.N = i + 1
			if err := a.PrintJSON(j); err != nil {
				return err
			}
			continue
		}
		when := act.At.UTC().Format(time.RFC3339)
		if a.TTY {
			when = term.Age(a.Now(), act.At)
		}
		t.Add(strconv.Itoa(i+1), act.ID, when, act.What)
	}
	if len(acts) > 0 && a.TTY {
		defer a.Hint("'git sage undo <n>' undoes one")
	}
	if own, ok := newerOwnAct(ctx, m, acts); ok {
		defer a.Hint("newer in your own store: '%s'; 'git sage undo --global' lists what was done there", term.Visible(own.What))
	}
	return t.Print(&a.Terminal)
}

func printUndone(a *app.App, out gitstore.Undone, quiet bool) error {
	for _, w := range out.Warnings {
		a.Warn("%s", w)
	}
	a.Acted = "the action was undone"
	if a.JSON {
		j := wire.ActOf(out.Act)
		j.Undone, j.Commit = true, out.Commit
		return a.PrintJSON(j)
	}
	if quiet {
		return nil
	}
	did, what, next := "undid", out.Act.What, "redoes it"
	if redone, ok := strings.CutPrefix(what, "undid: "); ok {
		did, what, next = "redid", redone, "undoes it again"
	}
	_, err := fmt.Fprintf(a.Out, "%s %s: %s\n", did, out.Act.ID, term.Visible(strings.TrimPrefix(what, "redid: ")))
	if err == nil {
		a.Hint("'git sage undo --last' %s", next)
	}
	return err
}
