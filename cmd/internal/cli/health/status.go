package health

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/fetched"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/review"
)

// NewStatus makes 'git sage status'.
func NewStatus(a *app.App) *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "status [-v]",
		Short: "Show the current line and what needs attention",
		Long: `Show the current line and the checkpoint that the next one continues, then what
needs attention: forks to merge, theses that need a synthesis, checkpoints that
contradict each other, checkpoints of yours that others removed, items and files
in conflict, pending todos, and what is unconfirmed ('git sage review'). It also
shows when something was last saved and recalled, and whether Claude Code is
connected.

It names the git branch that the line follows, lines whose branch was merged,
and unmerged lines whose branch was deleted. With 'distill' on it counts the
tokens used today. -v adds the version, the repository, and the state of the
store, search, its model, the hooks and the watcher.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return Status(c.Context(), a, verbose) },
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "also show the state of store, search, hooks and watcher")
	return c
}

// A standing is where one stands, as far as each of the rooms that know it could say.
type standing struct {
	gitstore.Status
	todos    []recall.Known
	waiting  review.WaitingCount
	opposing []review.Waiting
	search   *recall.Health // nil if that cannot be looked at
	trust    gitstore.Trust
	remotes  []wire.RemoteStatus
}

// look asks them all; what one cannot say is a warning.
func look(ctx context.Context, a *app.App, m *recall.Memory) (s standing, err error) {
	st, err := m.Store.Status(ctx)
	if err != nil {
		return s, err
	}
	s.Status = m.Provenance.AdmittedStatus(st)
	warn := func(err error) {
		if err != nil {
			a.Warn("%v", err)
		}
	}
	s.todos, err = m.Knowledge.PendingTodos(ctx)
	warn(err)
	s.waiting, err = m.Review.CountWaiting(ctx)
	warn(err)
	s.opposing, err = m.Review.Opposing(ctx)
	warn(err)
	warn(replacedModel(a, m))
	health, err := m.Stores.SearchHealth(ctx)
	if warn(err); err == nil {
		s.search = &health
	}
	s.Repository, s.GitDir, s.CommonDir = a.RealPath(s.Repository), a.RealPath(s.GitDir), a.RealPath(s.CommonDir)
	s.trust, err = m.Store.Ownership.Trust()
	warn(err)
	if s.Parent == nil && s.Lines == 0 && s.Items == 0 { // a fresh clone
		m.Stores.AskRemote(ctx)
	}
	s.remotes = remotesOf(ctx, m)
	return s, nil
}

// StatusObject is what status --json prints.
func StatusObject(ctx context.Context, a *app.App, m *recall.Memory) (wire.Status, error) {
	s, err := look(ctx, a, m)
	if err != nil {
		return wire.Status{}, err
	}
	return s.object(ctx, a, m), nil
}

func (s *standing) object(ctx context.Context, a *app.App, m *recall.Memory) wire.Status {
	j := wire.StatusOf(s.Status)
	j.Remotes, j.PrivateLines = s.remotes, m.Store.Remotes.PrivateLines()
	j.Unclaimed, j.Untrusted = s.trust.Unclaimed, s.trust.Why
	if s.search != nil {
		search := wire.SearchOf(*s.search)
		j.Search = &search
	}
	j.Distill = distillState(a, m.Store)
	j.Review, j.Opposing = wire.Review(s.waiting), lists.Map(s.opposing, func(w review.Waiting) [2]string { return [2]string{w.Opposed.Newer.ID, w.Opposed.Older.ID} })
	j.Claude = claudeOf(ctx, a)
	j.Todos = lists.Map(s.todos, func(k recall.Known) string { return k.Item.ID })
	return j
}

// Status prints where you stand.
func Status(ctx context.Context, a *app.App, verbose bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	st, err := look(ctx, a, m)
	if err != nil {
		return err
	}
	defer func() { _ = m.Store.Exchange.ToldRefused(st.Refused) }() // else it is told again
	if a.JSON {
		j := st.object(ctx, a, m)
		if verbose {
			h := healthOf(ctx, a, m)
			j.Health = &h
		}
		return a.PrintJSON(j)
	}
	var b strings.Builder
	writeStatus(a, &b, st.Status)
	writeLately(a, &b, st.Status)
	if !verbose { // which tells more of it
		writeClaude(a, &b, claudeOf(ctx, a))
	}
	writeTrust(a, &b, st.trust)
	if len(st.Buried) > 0 {
		fmt.Fprintf(&b, "\nRemoved elsewhere, and not here: %s of yours; %s\n", legible.Count(len(st.Buried), "checkpoint"), a.Typed(fetched.Buried(a, st.Buried)))
	}
	writeRemotes(a, &b, st.remotes, m.Store.Remotes.PrivateLines())
	writeKnowledge(a, &b, st.Status, st.todos, m.Provenance.Foreign(ctx, st.todos[:min(len(st.todos), term.MostNamed)]))
	if len(st.opposing) > 0 {
		o := st.opposing[0].Opposed
		a.Fprintf(&b, "\nContradictions: %d, of %s by %s and %s by %s; 'git sage review' shows how to settle them\n", len(st.opposing), a.Short(o.Newer.ID), term.Visible(wire.HeldBy(o.Newer)), a.Short(o.Older.ID), term.Visible(wire.HeldBy(o.Older)))
	}
	if text := reviewText(st.waiting); text != "" {
		a.Fprintf(&b, "\nUnconfirmed: %s; 'git sage review' goes through them\n", text)
	}
	if st.search != nil {
		if news := searchNews(a, *st.search); news != "" {
			fmt.Fprintf(&b, "\n%s\n", term.Visible(a.Typed(news)))
		}
	}
	if news := distillNews(a, distillState(a, m.Store)); news != "" {
		fmt.Fprintf(&b, "\n%s\n", term.VisibleLines(a.Typed(news)))
	}
	if verbose {
		writeHealth(a, &b, st.Status, healthOf(ctx, a, m))
	}
	_, err = io.WriteString(a.Out, b.String())
	return err
}

func writeStatus(a *app.App, w io.Writer, st gitstore.Status) {
	p := a.Palette()
	if a.IsOutside(a.Store) {
		fmt.Fprintf(w, "Not in a git repository: this is your own store, %s\n", term.Visible(a.Homely(a.Home())))
	}
	fork := ""
	if i := slices.IndexFunc(st.Forks, func(l gitstore.Line) bool { return l.Current }); i >= 0 {
		fork = ", on its fork " + st.Forks[i].Name
	}
	fmt.Fprintf(w, "On line %s%s%s\n", term.Visible(st.Line), term.Visible(fork), ofBranch(st))
	if st.Session != "" {
		fmt.Fprintf(w, "As session %s\n", term.Visible(st.Session))
	}
	switch {
	case st.Disabled:
		fmt.Fprintln(w, "Switched off: 'git config sage.enabled true' switches it on")
	case st.Lost != nil:
		fmt.Fprintln(w, term.Visible(hint.Error(st.Lost)))
	case st.Parent == nil:
		fmt.Fprintln(w, a.Typed(history.NoCheckpoints(st)))
		if st.Lines > 0 && a.IsOutside(a.Store) && a.Store.Repo.HasLine(gitstore.DefaultLine) {
			a.Fprintf(w, "Checkpoints of no folder are on main: 'git sage log --line main'\n")
		} else if st.Lines > 0 {
			fmt.Fprintln(w, a.Typed(term.UpperFirst(history.OtherLines)))
		}
	case st.Begins:
		fmt.Fprintf(w, "The next checkpoint begins it, and continues %s %s\n", p.ID(a.Short(st.Parent.ID)), term.Visible(provenance.Byline(*st.Parent)+st.Parent.Description))
	default:
		fmt.Fprintf(w, "The next checkpoint continues %s %s\n", p.ID(a.Short(st.Parent.ID)), term.Visible(provenance.Byline(*st.Parent)+st.Parent.Description))
	}
	if st.Detached {
		a.Fprintf(w, "That is not the tip of the line: the next one begins a fork of %[1]s; 'git sage switch %[1]s' goes to the tip\n", term.Visible(st.Line))
	}
	writeForks(a, w, st, p)
	writeMerged(a, w, st, p)
	writeUnmerged(a, w, st, p)
	if st.Fallback {
		fmt.Fprintf(w, "No identity is configured: checkpoints are by %s\n", term.Visible(st.Identity))
	}
}

// ofBranch says with which branch of git's the line goes.
func ofBranch(st gitstore.Status) string {
	if !st.Paired {
		return ""
	}
	off := ""
	if st.OffBranch {
		off = " (HEAD is detached)"
	}
	return ", which goes with git branch " + term.Visible(st.Branch) + off
}

// writeMerged names lines whose branch is merged.
func writeMerged(a *app.App, w io.Writer, st gitstore.Status, p term.Palette) {
	if len(st.Merged) > 0 {
		a.Fprintf(w, "\nLines whose git branch is merged into %s, for 'git sage merge <line>':\n", term.Visible(st.Head()))
	}
	for _, m := range st.Merged {
		fmt.Fprintf(w, "  %s %s %s\n", term.Visible(m.Name), p.ID(a.Short(m.Latest.ID)), term.Visible(provenance.Byline(*m.Latest)+m.Latest.Description))
	}
}

// mostUnmerged is how many lines of deleted branches are named.
const mostUnmerged = 5

// writeUnmerged names lines whose branch was deleted.
func writeUnmerged(a *app.App, w io.Writer, st gitstore.Status, p term.Palette) {
	if len(st.Unmerged) > 0 {
		a.Fprintf(w, "\nLines of deleted git branches that are not merged: 'git sage merge <line>' brings one in,\n'git sage branch -d <line>' closes it:\n")
	}
	for _, u := range st.Unmerged[:min(len(st.Unmerged), mostUnmerged)] {
		fmt.Fprintf(w, "  %s has %s not merged: %s %s\n", term.Visible(u.Name), legible.Count(u.Checkpoints, "checkpoint"), p.ID(a.Short(u.Latest.ID)), term.Visible(provenance.Byline(*u.Latest)+u.Latest.Description))
	}
	if more := len(st.Unmerged) - mostUnmerged; more > 0 {
		a.Fprintf(w, "  and %d more: 'git sage branch' lists them\n", more)
	}
}

func writeForks(a *app.App, w io.Writer, st gitstore.Status, p term.Palette) {
	if len(st.Forks) > 0 {
		a.Fprintf(w, "\nForks to merge with 'git sage merge <fork>':\n")
	}
	for _, f := range st.Forks {
		about := ""
		if f.Latest != nil {
			about = " " + p.ID(a.Short(f.Latest.ID)) + " " + term.Visible(provenance.Byline(*f.Latest)+f.Latest.Description)
		}
		fmt.Fprintf(w, "  %s%s\n", term.Visible(f.Name), about)
	}
	if len(st.Unsettled) > 0 {
		a.Fprintf(w, "\nTheses to settle with 'git sage merge --thesis <synthesis>':\n")
	}
	for _, r := range st.Unsettled {
		where := a.Typed(fmt.Sprintf(" ('git sage show %s' shows them)", a.Short(r.ID)))
		if len(r.Names) > 0 && (st.Begins || st.Parent == nil || st.Parent.ID != r.ID && !slices.Contains(r.Names, st.Line)) {
			where = a.Typed(fmt.Sprintf(" ('git sage switch %s' first)", term.Visible(r.Names[0])))
		}
		fmt.Fprintf(w, "  %s %s%s\n", p.ID(a.Short(r.ID)), term.Visible(provenance.Byline(r)+r.Description), where)
	}
}

// writeTrust says what was made here, and is not known as this user's.
func writeTrust(a *app.App, w io.Writer, t gitstore.Trust) {
	if t.Why != "" {
		fmt.Fprintf(w, "\nWhat you save here counts as from elsewhere: %s\n", term.Visible(t.Why))
	}
	if t.Unclaimed > 0 {
		a.Fprintf(w, "\nMade here, but not known to be yours: %s, from an older version, a copy or another user;\n'git sage confirm --all' if they are yours\n", legible.Count(t.Unclaimed, "commit"))
	}
}

// writeKnowledge tells of the knowledge what waits for a person: a line each.
// foreign are the authors of what came from elsewhere of the todos that are named.
func writeKnowledge(a *app.App, w io.Writer, st gitstore.Status, todos []recall.Known, foreign map[string]string) {
	if ids := wire.ConflictIDs(st.Disagree); len(ids) > 0 {
		a.Fprintf(w, "\nIn conflict: %s; 'git sage knowledge show <id>' says how to settle it\n", term.Visible(term.Some(ids)))
	}
	var files []string
	for _, path := range st.Disagree {
		if wire.ItemIDOf(path) == "" {
			files = append(files, path)
		}
	}
	if len(files) > 0 {
		fmt.Fprintln(w, "\nFiles of the knowledge in conflict; 'git show refs/sage/knowledge:<file>' shows them:")
	}
	for _, path := range files {
		fmt.Fprintf(w, "  %s\n", term.Visible(path))
	}
	if len(st.Refused) > 0 {
		a.Fprintf(w, "\nRefused by 'git sage merge --fetched' (shown once):\n")
	}
	for _, r := range st.Refused {
		fmt.Fprintf(w, "  '%s' of %s: %s\n", term.Visible(r.Name()), term.Visible(r.Remote), term.Visible(a.Typed(hint.Note(r.Note()))))
	}
	if len(todos) > 0 {
		ids := lists.Map(todos, func(k recall.Known) string {
			if author, ok := foreign[k.Key]; ok && !k.Own {
				return k.Item.ID + " (" + provenance.UnconfirmedShort(author) + ")"
			}
			return k.Item.ID
		})
		a.Fprintf(w, "\nStill to do: %s; 'git sage todo pending' lists them\n", term.Visible(term.Some(ids)))
	}
}

// reviewText says what waits, as far as that is known without comparing; "" is nothing.
func reviewText(n review.WaitingCount) string {
	return legible.Counts([]string{"checkpoint", "item"}, n.Checkpoints, n.Items)
}
