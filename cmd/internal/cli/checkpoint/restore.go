package checkpoint

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

type restoreOptions struct {
	brief   recall.BriefOptions
	removed bool
}

const restoreLong = `Print a checkpoint, or the one where you stand, as a brief, and continue from
it: the next save has it as parent. If it is not the tip of a line, that save
becomes a fork and the line stays as it is.

With --full, print every field and the end of the conversation that led to it,
if that was recorded ('git sage show --conversation'). With --removed, bring
back checkpoints that 'rm' or 'prune' removed.`

func newRestoreCmd(a *app.App) *cobra.Command {
	var o restoreOptions
	cmd := &cobra.Command{
		Use: "restore [--full | --summary] [<id>]",
		Example: `git sage checkpoint restore 3f2a91c0
git sage checkpoint restore --removed 3f2a91c0`,
		Short: "Continue from a checkpoint",
		Long:  restoreLong,
		Args:  usage.RangeArgs(0, -1, "id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRestore(cmd.Context(), a, &o, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.brief.Full, "full", false, "show every field, and the end of the conversation")
	f.BoolVar(&o.brief.Summary, "summary", false, "show the most valuable parts first")
	f.IntVar(&o.brief.MaxTokens, "max-tokens", 0, "with --summary, stop after `n` tokens")
	f.BoolVar(&o.removed, "removed", false, "bring back removed checkpoints")
	return cmd
}

func runRestore(ctx context.Context, a *app.App, o *restoreOptions, args []string) error {
	if err := o.check(args); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if o.removed {
		return restoreRemoved(ctx, a, m, args)
	}
	if len(args) == 0 {
		args = []string{"@"}
	}
	c, err := m.Store.Lines.Restore(ctx, args[0])
	unkept := errors.Is(err, gitstore.ErrNotKept)
	if err != nil && !unkept {
		return err
	}
	if unkept {
		a.Warn("%v; the next save continues from where you were before", err)
	}
	brief, err := m.Templates.Brief(ctx, c, o.brief)
	if err != nil {
		return err
	}
	said, err := saidLast(ctx, a, m, o, c.ID)
	if err != nil {
		return err
	}
	brief += said
	st, err := m.Store.Status(ctx)
	if err != nil {
		return err
	}
	if st.Lost != nil {
		a.Warn("%v", st.Lost)
	}
	return printRestored(a, c.ID, brief, st, unkept)
}

// saidChars is how much of a conversation puts an agent back into it: some 6,000 tokens.
const saidChars = 24_000

// saidLast is the end of the conversation that led to a checkpoint, with --full. That it
// cannot be read keeps nobody from going on.
func saidLast(ctx context.Context, a *app.App, m *recall.Memory, o *restoreOptions, id string) (string, error) {
	if !o.brief.Full {
		return "", nil
	}
	said, err := m.Session.LatestSaid(ctx, id, saidChars, hint.Sentence)
	if err != nil {
		a.Warn("%v", err)
	}
	if said != "" {
		said = "\n" + said
	}
	return said, ctx.Err()
}

func restoreRemoved(ctx context.Context, a *app.App, m *recall.Memory, revs []string) error {
	records, err := m.Store.Checkpoints.RestoreRemoved(ctx, revs)
	if errors.Is(err, gitstore.ErrNothing) {
		return fmt.Errorf("not removed: %w", err)
	}
	if err != nil {
		return err
	}
	a.Acted = legible.Count(len(records), "checkpoint") + " restored"
	return history.PrintActed(a, "restored", records, false)
}

func (o *restoreOptions) check(args []string) error {
	switch {
	case o.removed && len(args) == 0:
		return usage.Errorf("<id> is missing")
	case !o.removed && len(args) > 1:
		return usage.Errorf("too many arguments: '%s'", args[1])
	case o.brief.Full && o.brief.Summary:
		return usage.Errorf("options '--full' and '--summary' cannot be used together")
	case o.brief.MaxTokens < 0:
		return usage.Errorf("--max-tokens must not be negative: %d", o.brief.MaxTokens)
	case o.brief.MaxTokens > 0 && o.brief.Full:
		return usage.Errorf("options '--max-tokens' and '--full' cannot be used together")
	}
	o.brief.Summary = o.brief.Summary || o.brief.MaxTokens > 0
	return nil
}

func printRestored(a *app.App, id, brief string, st gitstore.Status, unkept bool) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"id": id, "line": st.Line, "detached": st.Detached, "brief": brief})
	}
	if _, err := fmt.Fprint(a.Out, endLine(term.VisibleLines(brief))); err != nil {
		return err
	}
	if unkept {
		return nil
	}
	if st.Detached {
		a.Say("the next save continues %s as a fork of line '%s'", a.Short(id), st.Line)
		return nil
	}
	a.Say("the next save continues %s on line '%s'", a.Short(id), st.Line)
	return nil
}

// endLine ends s with exactly one newline.
func endLine(s string) string {
	for len(s) > 0 && s[len(s)-1] == '\n' {
		s = s[:len(s)-1]
	}
	return s + "\n"
}
