package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type mergeOptions struct {
	fields             *draft.Fields
	abort, edit, quiet bool
	fetched            bool
}

const mergeLong = `Merge another line, a fork or a checkpoint into the current line, by meaning:
lists are united and removals hold. If the theses disagree, the merge is
recorded as NEEDS SYNTHESIS and the status is 1, until a merge with --thesis
settles it.

Without an argument, merge the open forks of the current line or, with --thesis,
settle the unsettled merge at its tip; --abort takes that merge back.

--fetched brings every line, fork and tag and the knowledge up to date with what
was fetched from the named remotes, or from all, by

  git fetch <remote> \
    '+refs/sage/heads/*:refs/sage/remotes/<remote>/heads/*'

and the same for forks, tags and knowledge. Everybody who merges the same gets
the same commit. The status is 1 if theses disagree, if it leaves an item in
conflict, or if something was refused.`

const mergeExample = `git sage merge stripe
git sage merge -m 'Stripe in the US, Adyen elsewhere' -c 0.7
git sage merge --fetched origin`

// NewMerge makes 'git sage merge'.
func NewMerge(a *app.App) *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use:     "merge [<options>] ([<line>|<fork>|<id>] | --fetched [<remote>...])",
		Short:   "Merge another line of thought into the current one",
		Long:    mergeLong,
		Example: mergeExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.fetched {
				return nil
			}
			return usage.RangeArgs(0, 1, "line")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.fetched {
				return mergeFetched(cmd.Context(), a, &o, args)
			}
			return runMerge(cmd.Context(), a, &o, args)
		},
	}
	o.fields = draft.AddFields(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.abort, "abort", false, "take back the unsettled merge at the tip")
	f.BoolVarP(&o.edit, "edit", "e", false, "write the thesis in the editor")
	f.BoolVar(&o.fetched, "fetched", false, "merge what was fetched from the named remotes")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return cmd
}

func runMerge(ctx context.Context, a *app.App, o *mergeOptions, args []string) error {
	if o.abort && (len(args) > 0 || o.edit || o.fields.Given()) {
		return usage.Errorf("--abort takes neither an argument nor other options")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if o.abort {
		return abortMerge(ctx, a, m)
	}
	requests, err := mergeRequests(ctx, a, m, o, args)
	if err != nil {
		return err
	}
	if len(requests) == 0 {
		return printUpToDate(a, m.Store.Session.CurrentLine())
	}
	return mergeAll(ctx, a, m, requests, o.quiet)
}

func abortMerge(ctx context.Context, a *app.App, m *recall.Memory) error {
	r, err := m.Store.Checkpoints.AbortMerge(ctx)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"id": r.ID, "line": m.Store.Session.CurrentLine(), "description": r.Description})
	}
	a.Say("merge aborted: '%s' is at %s %s", m.Store.Session.CurrentLine(), a.Short(r.ID), r.Description)
	return nil
}

// mergeRequests are the merges to make: of what is named, else of every open
// fork of the current line, of which the last one gets the thesis. With a
// thesis and an unsettled merge at the tip there is one, which settles it.
func mergeRequests(ctx context.Context, a *app.App, m *recall.Memory, o *mergeOptions, args []string) ([]gitstore.MergeRequest, error) {
	revs := args
	if len(revs) == 0 {
		unsettled, forks, err := openWork(ctx, m.Store)
		if err != nil {
			return nil, err
		}
		settles := o.edit || o.fields.Changed("thesis")
		switch {
		case settles && (unsettled || len(forks) == 0):
			revs = []string{""}
		case unsettled:
			return nil, exit.WithHint(fmt.Errorf("the merge at the tip of '%s' is not settled", m.Store.Session.CurrentLine()), "%s", settleHint)
		default:
			revs = forks
		}
	}
	requests := make([]gitstore.MergeRequest, len(revs))
	for i, rev := range revs {
		requests[i].Rev = rev
	}
	if len(requests) == 0 {
		return nil, nil
	}
	return requests, giveThesis(ctx, a, m, o, &requests[len(requests)-1])
}

const settleHint = "'git sage merge --thesis <synthesis>' settles it, '--abort' takes it back"

// openWork says whether the tip of the current line is an unsettled merge, and
// which forks of it are open.
func openWork(ctx context.Context, s *gitstore.Store) (unsettled bool, forks []string, err error) {
	st, err := s.Status(ctx)
	if err != nil {
		return false, nil, err
	}
	for _, f := range st.Forks {
		if f.Of == st.Line {
			forks = append(forks, f.Name)
		}
	}
	unsettled = st.Parent != nil && !st.Begins && slices.ContainsFunc(st.Unsettled, func(r gitstore.Record) bool { return r.ID == st.Parent.ID })
	return unsettled, forks, nil
}

// giveThesis fills in what the author says about the merge.
func giveThesis(ctx context.Context, a *app.App, m *recall.Memory, o *mergeOptions, r *gitstore.MergeRequest) error {
	var c sage.Checkpoint
	if err := o.fields.Apply(&c); err != nil {
		return err
	}
	if o.edit {
		thesis, err := editThesis(ctx, a, m, c.Thesis, r.Rev)
		if err != nil {
			return err
		}
		c.Thesis = thesis
	}
	if o.fields.Changed("thesis") && strings.TrimSpace(c.Thesis) == "" {
		return usage.Errorf("the thesis of a merge is empty")
	}
	r.Thesis, r.Confidence = c.Thesis, c.Confidence
	r.Draft.Checkpoint = c
	return nil
}

// editThesis lets the person write the synthesis, with what each side holds
// below the scissors.
func editThesis(ctx context.Context, a *app.App, m *recall.Memory, thesis, rev string) (string, error) {
	b, err := editor.New(m.Store.Repo.Folder(), thesis, "\nWrite the thesis that settles the merge above the line.\n"+theses(ctx, m, rev))
	if err != nil {
		return "", err
	}
	b.Blank = thesis == ""
	text, err := b.Edit(ctx, &a.Terminal)
	if err != nil {
		return "", b.Kept(err)
	}
	b.Remove()
	if text = strings.TrimSpace(text); text == "" {
		a.Say("aborting: the thesis is empty")
		return "", exit.ErrNo
	}
	return text, nil
}

// theses lists what the sides of a merge hold, as whoever asks may see it: an agent can name an
// editor as well. What cannot be read is left out.
func theses(ctx context.Context, m *recall.Memory, rev string) string {
	var b strings.Builder
	for _, r := range []string{"@", rev} {
		c, err := m.Store.Commits.Load(ctx, r)
		if r == "" || err != nil {
			continue
		}
		if said := m.Provenance.AdmitCheckpoint(ctx, c); said != "" {
			fmt.Fprintf(&b, "\n%s holds: %s\n", r, said)
			continue
		}
		for _, t := range c.ComponentTheses {
			fmt.Fprintf(&b, "\n%.8s holds: %s\n", t.From, t.Thesis)
		}
		if len(c.ComponentTheses) == 0 {
			fmt.Fprintf(&b, "\n%s holds: %s\n", r, c.Thesis)
		}
	}
	return b.String()
}

func mergeAll(ctx context.Context, a *app.App, m *recall.Memory, requests []gitstore.MergeRequest, quiet bool) error {
	unsettled := false
	for _, r := range requests {
		merged, err := m.Save.Merge(ctx, r)
		if errors.Is(err, gitstore.ErrNothing) && r.Rev == "" {
			err = errSettled(ctx, m)
		}
		if err != nil {
			if exit.IsNotFound(err) && m.Store.Follow.LineOf(ctx, r.Rev) != "" {
				return noLine(r.Rev, err)
			}
			return err
		}
		if err := printMerged(a, merged, quiet); err != nil {
			return err
		}
		unsettled = merged.Unsettled
	}
	if unsettled {
		a.Hint("%s", settleHint)
		return exit.ErrNo
	}
	return nil
}

// errSettled says that nothing is to be settled on the current line, and where something is.
func errSettled(ctx context.Context, m *recall.Memory) error {
	err := fmt.Errorf("no unsettled merge on '%s'", m.Store.Session.CurrentLine())
	st, serr := m.Store.Status(ctx)
	if i := slices.IndexFunc(st.Unsettled, func(r gitstore.Record) bool { return len(r.Names) > 0 }); serr == nil && i >= 0 {
		return exit.WithHint(err, "'git sage switch %[1]s' goes to the one on '%[1]s'", st.Unsettled[i].Names[0])
	}
	return exit.WithHint(err, "'git sage save -m <thesis>' records a thesis without a merge")
}

func printUpToDate(a *app.App, line string) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"line": line, "up_to_date": true})
	}
	_, err := fmt.Fprintln(a.Out, "Already up to date.")
	return err
}

func printMerged(a *app.App, r gitstore.Merged, quiet bool) error {
	a.Acted = "'" + r.Line + "' is at " + a.Short(r.ID) + " now"
	if a.JSON {
		return a.PrintJSON(wire.MergedOf(r))
	}
	if !quiet {
		if err := printMergedText(a, r); err != nil {
			return err
		}
	}
	for _, f := range r.Folded {
		a.Say("merged fork '%s' into '%s'", f, r.Line)
	}
	draft.SaySaved(a, r.Saved)
	return nil
}

func printMergedText(a *app.App, r gitstore.Merged) error {
	var err error
	switch {
	case r.UpToDate:
		_, err = fmt.Fprintln(a.Out, "Already up to date.")
	case r.FastForward:
		_, err = fmt.Fprintf(a.Out, "Fast-forward\n[%s %s] %s\n", r.RefName(), a.Short(r.ID), term.Visible(r.Description))
	case r.Unsettled:
		_, err = fmt.Fprintf(a.Out, "[%s %s] %s\nCONFLICT (thesis): the sides hold different theses\n", r.RefName(), a.Short(r.ID), term.Visible(r.Description))
	default:
		_, err = fmt.Fprintf(a.Out, "[%s %s] %s\n", r.RefName(), a.Short(r.ID), term.Visible(r.Description))
	}
	return err
}
