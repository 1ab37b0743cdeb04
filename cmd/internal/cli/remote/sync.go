package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/fetched"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

type syncOptions struct {
	dryRun, quiet, all, background bool
	of                             background.Target
}

const syncLong = `Fetch the memory that <remote> has, merge it by meaning, and push what it lacks
of what you share with it. Without <remote>, that is the remote you shared with,
or origin. It is safe to repeat at any time: a push only ever adds to what the
remote has, and everybody who merges the same gets the same commit.

Nothing is sent before 'git sage share' was run once. Private lines, lines that
are not shared, and items with 'private: true' are never sent.

Your branches, index, work tree and configuration are not touched, and git's
hooks are not run. Where a host takes branches only, the memory goes to branches
below git-sage/, and that is said once.

With --all, sync with every remote that you share with, and print a line for
each; one that fails does not stop the others.

Theses that disagree, and items in conflict, are named: they are merged and sent
with both versions until somebody settles them. The status is 1 if one side
refused a ref or nothing could be sent, and 128 if a remote was not reached.`

// NewSync makes 'git sage sync'.
func NewSync(a *app.App) *cobra.Command {
	var o syncOptions
	c := &cobra.Command{
		Use:     "sync [-n] [-q] [--all | <remote>]",
		Short:   "Exchange the memory with a remote: fetch, merge, push",
		Long:    syncLong,
		Example: "git sage sync\ngit sage sync --dry-run upstream\ngit sage sync --all",
		Args:    usage.RangeArgs(0, 1, "remote"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.background {
				if len(args) > 0 || o.dryRun || o.all {
					return usage.Errorf("option '--background' does what is due, and goes with no other")
				}
				return inBackground(c.Context(), a, o.of)
			}
			switch {
			case o.all && len(args) > 0:
				return usage.Errorf("option '--all' takes no remote")
			case o.all:
				return syncAll(c.Context(), a, o)
			case o.dryRun:
				return foresee(c.Context(), a, args, true, o.quiet)
			}
			return exchange(c.Context(), a, args, o.quiet, sync)
		},
		ValidArgsFunction: completeRemotes(a),
	}
	c.Flags().BoolVarP(&o.dryRun, "dry-run", "n", false, "say what would come and what would be sent")
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	c.Flags().BoolVar(&o.all, "all", false, "with every remote that you share with")
	c.Flags().BoolVar(&o.background, "background", false, "do what is due, as the setting sync_auto says, and ask nothing")
	o.of.Flag(c.Flags())
	return c
}

func sync(ctx context.Context, m *recall.Memory, name string, w gitstore.RemoteWay) (gitstore.Synced, error) {
	return m.Store.Remotes.Sync(ctx, name, w)
}

// inBackground does what is due with remotes. What fails is kept for 'git sage remote show'.
func inBackground(ctx context.Context, a *app.App, of background.Target) error {
	background.StepBack()
	return a.WorkOn(ctx, of, func(m *recall.Memory) error {
		m.Store.Ledger.Moved = nil // it sends what it moves
		err := m.Store.Remotes.Background(ctx, gitstore.Auto(m.Stores.Settings().SyncAuto))
		if err == nil && m.Stores.Upkeep != nil && m.Store.Upkeep.Due() {
			m.Stores.Upkeep()
		}
		return err
	})
}

// NewFetch makes 'git sage fetch'.
func NewFetch(a *app.App) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "fetch [-q] [<remote>]",
		Short: "Fetch a remote's memory without merging it",
		Long: `Fetch the memory that <remote> has, and leave yours as it is. 'git sage merge
--fetched' or 'git sage pull' takes it in.`,
		Args: usage.RangeArgs(0, 1, "remote"),
		RunE: func(c *cobra.Command, args []string) error {
			return foresee(c.Context(), a, args, false, quiet)
		},
		ValidArgsFunction: completeRemotes(a),
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// NewPull makes 'git sage pull'.
func NewPull(a *app.App) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "pull [-q] [<remote>]",
		Short: "Fetch a remote's memory and merge it",
		Long:  `Fetch the memory that <remote> has and merge it by meaning. Nothing is sent.`,
		Args:  usage.RangeArgs(0, 1, "remote"),
		RunE: func(c *cobra.Command, args []string) error {
			return exchange(c.Context(), a, args, quiet, func(ctx context.Context, m *recall.Memory, name string, w gitstore.RemoteWay) (gitstore.Synced, error) {
				return m.Store.Remotes.Pull(ctx, name, w)
			})
		},
		ValidArgsFunction: completeRemotes(a),
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// NewPush makes 'git sage push'.
func NewPush(a *app.App) *cobra.Command {
	var quiet, dryRun bool
	c := &cobra.Command{
		Use:   "push [-n] [-q] [<remote>]",
		Short: "Push what is shared with a remote",
		Long: `Push what <remote> lacks of what you share with it ('git sage share'). A ref
that somebody else moved meanwhile is refused: 'git sage sync' merges it first.`,
		Args: usage.RangeArgs(0, 1, "remote"),
		RunE: func(c *cobra.Command, args []string) error {
			if dryRun {
				return leaving(c.Context(), a, args)
			}
			return exchange(c.Context(), a, args, quiet, func(ctx context.Context, m *recall.Memory, name string, w gitstore.RemoteWay) (gitstore.Synced, error) {
				p, err := m.Store.Remotes.Push(ctx, name, w)
				return gitstore.Synced{Remote: name, Pushed: p}, err
			})
		},
		ValidArgsFunction: completeRemotes(a),
	}
	c.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "say what would be sent")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// open opens the memory, with the remote that a command line means.
func open(ctx context.Context, a *app.App, args []string) (m *recall.Memory, name string, err error) {
	if m, err = a.Open(ctx); err != nil {
		return nil, "", err
	}
	if len(args) == 1 {
		return m, args[0], m.Store.Remotes.Check(ctx, args[0])
	}
	name, err = m.Store.Remotes.Default(ctx)
	return m, name, err
}

// way is how a person's command talks to a remote: with a bar for each part of it.
func way(a *app.App) (w gitstore.RemoteWay, end func()) {
	if !a.ErrTTY {
		return gitstore.RemoteWay{Again: true, Silence: patience(a)}, func() {}
	}
	var bar *term.Bar
	what := ""
	end = func() {
		if bar != nil {
			bar.End()
		}
	}
	return gitstore.RemoteWay{Again: true, Asks: a.InputTTY(), Silence: patience(a), Progress: func(part string, done, all int) {
		if part != what {
			end()
			what, bar = part, a.Progress(part)
		}
		bar.Left(all - done)
	}}, end
}

// patience is how long a remote may be silent: $SAGE_REMOTE_TIMEOUT, such as 10s.
func patience(a *app.App) time.Duration {
	d, err := time.ParseDuration(a.Getenv("SAGE_REMOTE_TIMEOUT"))
	if err != nil || d <= 0 {
		return 0
	}
	return d
}

type exchanging func(context.Context, *recall.Memory, string, gitstore.RemoteWay) (gitstore.Synced, error)

// exchange talks to a remote and says what became of it.
func exchange(ctx context.Context, a *app.App, args []string, quiet bool, do exchanging) error {
	m, name, err := open(ctx, a, args)
	if err != nil {
		return err
	}
	_, err = exchangeWith(ctx, a, m, name, quiet, do)
	return err
}

// exchangeWith is exchange with one remote of a memory that is open.
func exchangeWith(ctx context.Context, a *app.App, m *recall.Memory, name string, quiet bool, do exchanging) (gitstore.Synced, error) {
	before := fetched.Look(ctx, m)
	w, end := way(a)
	out, err := do(ctx, m, name, w)
	end()
	err2 := say(ctx, a, m, before, out, quiet || err != nil)
	switch {
	case errors.Is(err, gitstore.ErrUnshared):
		return out, exit.WithHint(err, "'git sage share %s' says what would leave, and asks", gitstore.InShell(name))
	case err != nil:
		return out, err
	case err2 == nil && undone(out):
		return out, exit.ErrNo
	}
	return out, err2
}

// undone reports whether one side refused something, or nothing could be sent. What was merged and
// waits for a person to settle it is done.
func undone(out gitstore.Synced) bool {
	return refusedAny(out.Pushed) || out.Unsent != nil && !errors.Is(out.Unsent, gitstore.ErrUnshared) ||
		slices.ContainsFunc(out.Merged, func(f gitstore.Fetched) bool { return f.Act == gitstore.FetchedRefused })
}

// say tells what came, what was sent, and what waits.
func say(ctx context.Context, a *app.App, m *recall.Memory, before fetched.Before, out gitstore.Synced, quiet bool) error {
	if len(out.Merged) > 0 {
		if _, err := before.Say(ctx, a, m, out.Merged, quiet); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(wire.SyncedOf(out))
	}
	sent, err := saySent(ctx, a, m, out, quiet)
	if err != nil {
		return err
	}
	name := term.Visible(out.Remote)
	if out.Pushed.Anew && !quiet {
		a.Say("encrypted all that '%s' has again", name)
	}
	for _, n := range append(out.Arrived.Notes, out.Pushed.Notes...) {
		a.Warn("'%s': %v", name, n)
	}
	if out.Pushed.Branch {
		a.Warn("'%s' takes branches only: the memory is in its branches below git-sage/", name)
	}
	if len(out.Arrived.Gone) > 0 {
		a.Warn("'%s' has deleted %s: yours stay", name, names(out.Arrived.Gone))
	}
	if len(out.Pushed.Again) > 0 {
		a.Hint("%s of '%s': 'git sage sync %s' sends them again", names(out.Pushed.Again), name, gitstore.InShell(out.Remote))
	}
	if len(out.Pushed.Off) > 0 && !quiet {
		a.Say("removed %s from '%s': the line there has it", names(refsOf(out.Pushed.Off)), name)
	}
	nothing := !sent && len(out.Pushed.Off) == 0 && !fetched.Changed(a, out.Merged)
	switch {
	case quiet:
	case out.Unsent != nil && errors.Is(out.Unsent, gitstore.ErrUnshared):
		if nothing {
			a.Say("nothing new from '%s'", name)
		}
		a.Hint("your memory stays here: 'git sage share %s' says what would leave, and asks", gitstore.InShell(out.Remote))
	case out.Unsent != nil:
		a.Warn("%v", out.Unsent)
	case nothing && !refusedAny(out.Pushed):
		_, err = fmt.Fprintln(a.Out, "Already up to date.")
	}
	return err
}

func refusedAny(p gitstore.Pushed) bool {
	for _, s := range p.Sent {
		if s.Err != nil {
			return true
		}
	}
	return false
}

// mostSaid is how many refs are told of one by one.
const mostSaid = 20

// saySent tells what the remote has now, and what it refused.
func saySent(ctx context.Context, a *app.App, m *recall.Memory, out gitstore.Synced, quiet bool) (sent bool, err error) {
	var done []gitstore.Sent
	said := map[string]bool{}
	for _, s := range out.Pushed.Sent {
		if s.Err == nil {
			done = append(done, s)
			continue
		}
		why := hint.Error(s.Err)
		if said[why] {
			why = "for the same reason"
		}
		said[why] = true
		fmt.Fprintf(a.Err, "error: '%s' was not sent to '%s': %s\n", term.Visible(s.Name()), term.Visible(out.Remote), term.Visible(a.Typed(why)))
	}
	if quiet || len(done) == 0 {
		return len(done) > 0, nil
	}
	if len(done) > mostSaid {
		_, err = fmt.Fprintf(a.Out, "%-7s  %s\n", "sent", counted(done))
		return true, err
	}
	return true, fetched.PrintRows(ctx, a, m, lists.Map(done, func(s gitstore.Sent) fetched.Row { return fetched.Row{Act: "sent", Ref: s.Ref, Old: s.Old, New: s.New} }))
}

// counted says of refs how many of which kind they are.
func counted(sent []gitstore.Sent) string {
	kinds := []struct{ prefix, one string }{{"refs/sage/heads/", "line"}, {"refs/sage/forks/", "fork"}, {"refs/sage/tags/", "tag"}}
	var parts []string
	for _, k := range kinds {
		n := 0
		for _, s := range sent {
			if strings.HasPrefix(s.Ref, k.prefix) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, legible.Count(n, k.one))
		}
	}
	for _, s := range sent {
		if s.Ref == gitstore.KnowledgeRef {
			parts = append(parts, "the knowledge")
		}
		if s.Ref == gitstore.RemoteNotes {
			parts = append(parts, "notes on commits")
		}
	}
	return strings.Join(parts, ", ")
}

func refsOf(sent []gitstore.Sent) []string {
	return lists.Map(sent, func(s gitstore.Sent) string { return s.Ref })
}

// names are refs as people type them, the first few.
func names(refs []string) string {
	short := lists.Map(refs, func(ref string) string { return "'" + term.Visible(gitstore.Sent{Ref: ref}.Name()) + "'" })
	const most = 3
	if more := len(short) - most; more > 0 {
		short = append(short[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(short, ", ")
}

// foresee fetches, and says what a merge would take in and, if that is asked for, what a push
// would send.
func foresee(ctx context.Context, a *app.App, args []string, send, quiet bool) error {
	m, name, err := open(ctx, a, args)
	if err != nil {
		return err
	}
	return foreseeWith(ctx, a, m, name, send, quiet)
}

// foreseeWith is foresee of one remote of a memory that is open.
func foreseeWith(ctx context.Context, a *app.App, m *recall.Memory, name string, send, quiet bool) error {
	w, end := way(a)
	got, err := m.Store.Remotes.Fetch(ctx, name, w)
	end()
	if err != nil {
		return err
	}
	waiting, err := m.Store.Remotes.Waiting(ctx, name)
	if err != nil {
		return err
	}
	out := gitstore.Synced{Remote: name, Arrived: got}
	if send {
		out.Pushed, out.Unsent = m.Store.Remotes.Leaving(ctx, name, w)
		if out.Unsent != nil && !errors.Is(out.Unsent, gitstore.ErrUnshared) {
			return out.Unsent
		}
	}
	if a.JSON {
		j := wire.SyncedOf(out)
		j.DryRun = true
		return a.PrintJSON(struct {
			wire.Synced
			Waiting   int  `json:"waiting"`
			Knowledge bool `json:"knowledge"`
		}{j, waiting.Checkpoints, waiting.Knowledge})
	}
	if quiet {
		return nil
	}
	if got.Has == 0 {
		a.Say("'%s' has no memory", name)
	} else if text := waitingText(waiting); text != "" {
		take := map[bool]string{true: "sync", false: "pull"}[send]
		a.Say("'%s' has %s that you do not: 'git sage %s %s' takes them in", name, text, take, gitstore.InShell(name))
	} else {
		a.Say("'%s' has nothing new", name)
	}
	if send {
		sayLeaving(a, out)
	}
	return nil
}

// waitingText says how much a remote has that was not taken in, "" if that is nothing.
func waitingText(w gitstore.RemoteWaits) string {
	var parts []string
	if w.Checkpoints > 0 {
		parts = append(parts, legible.Count(w.Checkpoints, "checkpoint"))
	}
	if w.Knowledge {
		parts = append(parts, "knowledge")
	}
	return strings.Join(parts, " and ")
}

func sayLeaving(a *app.App, out gitstore.Synced) {
	name := term.Visible(out.Remote)
	switch {
	case out.Unsent != nil:
		a.Say("nothing would be sent: 'git sage share %s' says what would leave, and asks", gitstore.InShell(out.Remote))
	case len(out.Pushed.Sent) == 0:
		a.Say("nothing would be sent to '%s'", name)
	}
	if len(out.Pushed.Off) > 0 {
		a.Say("would remove %s from '%s': the line has it", names(refsOf(out.Pushed.Off)), name)
	}
	for _, s := range out.Pushed.Sent {
		if s.Err != nil {
			a.Say("would keep back '%s': %s", term.Visible(s.Name()), hint.Error(s.Err))
			continue
		}
		a.Say("would send '%s' to '%s'", term.Visible(s.Name()), name)
	}
	if len(out.Pushed.Held) > 0 {
		a.Say("%s would stay: private, or not shared", names(out.Pushed.Held))
	}
}

// leaving says what a push would send, as far as that is known without asking the remote.
func leaving(ctx context.Context, a *app.App, args []string) error {
	m, name, err := open(ctx, a, args)
	if err != nil {
		return err
	}
	out := gitstore.Synced{Remote: name}
	out.Pushed, out.Unsent = m.Store.Remotes.Leaving(ctx, name, gitstore.RemoteWay{Again: true})
	if out.Unsent != nil && !errors.Is(out.Unsent, gitstore.ErrUnshared) {
		return out.Unsent
	}
	if a.JSON {
		j := wire.SyncedOf(out)
		j.DryRun = true
		return a.PrintJSON(j)
	}
	sayLeaving(a, out)
	return nil
}

func completeRemotes(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		s := app.QuietStore(a, c)
		if s == nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, _ := s.Repo.Remotes(c.Context())
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
