package session

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/provenance"
)

// MaxSessionChars is the most that a client takes of what a hook puts in front
// of a session; beyond it the text would be moved out into a file.
const MaxSessionChars = 10_000

// searchDepth is how far Brief looks back for a thesis: behind a run of
// so many recoveries there is nothing that one would want to continue.
const searchDepth = 200

// Latest returns the newest checkpoint from where the session stands that has
// a thesis and is neither removed nor a recovery; nil if there is none.
func (se *Session) Latest(ctx context.Context) (*gitstore.Record, error) {
	latest, _, err := se.Recovered(ctx)
	return latest, err
}

// Brief is what a new session should know of where thought stands: the
// brief of [Session.Latest], what was recovered since then, what is open beside it or in
// conflict and how to settle that, in fences, within maxChars characters (0 is
// [MaxSessionChars]). It is "" when there is nothing to continue and nothing to settle.
func (se *Session) Brief(ctx context.Context, maxChars int) (string, error) {
	text, _, err := se.BriefOfSession(ctx, maxChars)
	return text, err
}

// BriefOfSession is Brief, with the ids of the checkpoints that it shows.
func (se *Session) BriefOfSession(ctx context.Context, maxChars int) (text string, shown []string, err error) {
	if maxChars <= 0 || maxChars > MaxSessionChars {
		maxChars = MaxSessionChars
	}
	st, r, recovery, err := se.Survey(ctx)
	if err != nil {
		return "", nil, err
	}
	after, err := se.RecoveredBrief(ctx, recovery, st, r != nil, maxChars)
	if r == nil && after == "" && st.Waits() {
		return brief.Fence("git-sage", cut.Units(se.Head(nil, st), maxChars-brief.FenceCost("git-sage"))), nil, err
	}
	if recovery != nil && after != "" {
		shown = append(shown, recovery.ID)
	}
	if r == nil {
		return after, shown, err
	}
	se.stores.Complain(err) // what somebody thought about is worth more
	if after != "" {
		after = "\n" + after
	}
	c, err := se.stores.Store.Commits.Load(ctx, r.ID)
	if err != nil {
		return "", nil, err
	}
	maxChars -= utf8.RuneCountInString(after)
	around := []*gitstore.Record{r}
	if recovery != nil {
		around = []*gitstore.Record{recovery, r}
	}
	before := se.concluded(ctx, maxChars, around...)
	text, err = se.fenced(ctx, c, origin(*r, st), se.Head(r, st), before, maxChars)
	return text + after, append(shown, r.ID), err
}

const (
	concludedLines = 5
	concludedShare = 1.0 / 3 // of what a brief has room for
	concludedDepth = 30      // checkpoints that are looked at for them
)

// concluded lists what the line concluded besides what is shown of it, which begins with the
// newest checkpoint: the newest first, a line each, but for questions that were answered anew
// and records of sessions that saved later.
func (se *Session) concluded(ctx context.Context, maxChars int, shown ...*gitstore.Record) string {
	lines := []string{"\n## Earlier conclusions (sage_load_checkpoint shows one in full)\n"}
	seen, sessions := map[string]bool{}, map[string]bool{}
	isNew := func(r *gitstore.Record) bool {
		is := !seen[r.Thesis] && !seen["? "+r.Question] && !(r.Trigger == sage.Recovery && sessions[r.Session])
		seen[r.Thesis], seen["? "+r.Question], sessions[r.Session] = true, r.Question != "", true
		return is
	}
	for _, r := range shown {
		isNew(r)
	}
	depth := 0
	for r := range se.stores.Store.Commits.Before(ctx, *shown[0]) {
		if HoldsThought(r) && r.Thesis != sage.NeedsSynthesis && isNew(&r) {
			lines = append(lines, fmt.Sprintf("- %s, %s%s: %s\n", brief.ShortID(r.ID), brief.Age(se.stores.Now().Sub(r.Time)), provenance.Aside(r, ""), brief.Line(provenance.Said(r.Own, r.Thesis), 120)))
		}
		if depth++; depth == concludedDepth || len(lines) > concludedLines {
			break
		}
	}
	return brief.AsManyAs(lines, int(float64(maxChars)*concludedShare))
}

// Survey asks which forks and unsettled merges there are, and for what Recovered
// returns. Nearly always that is the newest of the line or fork that the session
// stands on, which the list of them holds already.
func (se *Session) Survey(ctx context.Context) (st gitstore.Status, latest, recovery *gitstore.Record, err error) {
	lines, err := se.stores.Store.Lines.List(ctx)
	if err != nil {
		return st, nil, nil, err
	}
	st.Line, st.Branch, st.OffBranch = se.stores.Store.Session.CurrentLine(), se.stores.Store.Follow.GitBranch(), se.stores.Store.Follow.HeadDetached()
	st.Merged = se.stores.Store.Follow.MergedLines(ctx, lines)
	soon, cancel := HalfTheTime(ctx) // of 10,000 items that nobody compared yet it takes longer than there is
	st.Disagree = se.stores.Store.Knowledge.Disagreeing(soon)
	cancel()
	ref, seen := se.stores.Store.Session.Position()
	for _, l := range lines {
		if l.Fork {
			st.Forks = append(st.Forks, l)
		}
		st.AddUnsettled(l)
		if l.Ref == ref && l.Latest != nil && Continues(*l.Latest) && (seen == "" || seen == l.Latest.ID) {
			latest = l.Latest
		}
	}
	if latest == nil && seen != "" { // of a line that begins there, say: a list takes a process more
		if r, err := se.stores.Store.Commits.Record(ctx, seen); err == nil && Continues(r) {
			latest = &r
		}
	}
	if latest == nil {
		latest, recovery, err = se.Recovered(ctx)
	}
	return st, latest, recovery, err
}

// Continues reports whether one would want to go on from r.
func Continues(r gitstore.Record) bool { return HoldsThought(r) && r.Trigger != sage.Recovery }

func HoldsThought(r gitstore.Record) bool {
	return r.Counts() && r.Thesis != ""
}

// origin names where the text comes from, for the fence.
func origin(r gitstore.Record, st gitstore.Status) string {
	return fmt.Sprintf("git-sage checkpoint %s on line %s", brief.ShortID(r.ID), st.Line)
}

// fenced puts the brief of c between head and tail into a fence. The fence may defuse
// text, which makes it longer, so the brief is measured with it and cut again
// if need be.
func (se *Session) fenced(ctx context.Context, c *sage.Checkpoint, origin, head, tail string, maxChars int) (string, error) {
	room := maxChars - brief.FenceCost(origin) - utf8.RuneCountInString(head+tail)
	for room > 0 {
		body, err := se.templates.Brief(ctx, c, templates.BriefOptions{MaxChars: room})
		if err != nil {
			return "", err
		}
		text := brief.Fence(origin, head+body+tail)
		over := utf8.RuneCountInString(text) - maxChars
		if over <= 0 {
			return text, nil
		}
		room -= over
	}
	return "", &brief.TooLongError{ID: c.ID, Room: maxChars}
}

// Head says which checkpoint this is, if it is any, and what waits to be merged.
func (se *Session) Head(r *gitstore.Record, st gitstore.Status) string {
	var b strings.Builder
	b.WriteString("Memory from earlier work" + brief.Caution)
	if r != nil {
		b.WriteString(se.which(*r, st))
	}
	const most = 5 // more would crowd out the brief
	for _, f := range st.Forks[:min(most, len(st.Forks))] {
		name := provenance.RefName(f.Name, f.Tip)
		fmt.Fprintf(&b, "Open fork %s of line %s%s: merge it with sage_merge or `git sage merge %s`.\n", name, f.Of, says(f.Latest), name)
	}
	if n := len(st.Forks) - most; n > 0 {
		fmt.Fprintf(&b, "%d more forks are open: `git sage status` lists them.\n", n)
	}
	for _, l := range st.Merged[:min(most, len(st.Merged))] {
		fmt.Fprintf(&b, "Git branch %s is merged into %s: merge its line %s%s with sage_merge(checkpoint_id: \"%s\") or `git sage merge %s`.\n", brief.Line(l.Branch, 100), brief.Line(st.Head(), 100), l.Name, says(l.Latest), l.Name, l.Name)
	}
	for _, u := range st.Unsettled[:min(most, len(st.Unsettled))] {
		fmt.Fprintf(&b, "Merge %s needs a synthesis: call sage_merge with a thesis, or `git sage merge --thesis '...'` on its line.\n", brief.ShortID(u.ID))
	}
	if n := len(st.Disagree); n > 0 {
		fmt.Fprintf(&b, "In conflict since a merge: %s%s; settle it with the user: `git sage knowledge show <id>` shows how.\n",
			strings.Join(itemsOf(st.Disagree[:min(most, n)]), ", "), andMore(n-most))
	}
	b.WriteByte('\n')
	return b.String()
}

// itemsOf names files of the knowledge, an item by its id.
func itemsOf(files []string) (out []string) {
	for _, f := range files {
		if strings.HasPrefix(f, "knowledge/") {
			f = strings.TrimSuffix(path.Base(f), ".md")
		}
		out = append(out, brief.Line(f, 100))
	}
	return out
}

func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// which says which checkpoint r is.
func (se *Session) which(r gitstore.Record, st gitstore.Status) string {
	return fmt.Sprintf("Line %s, checkpoint %s, %s, %s.\n", st.Line, brief.ShortID(r.ID), brief.Age(se.stores.Now().Sub(r.Time)), provenance.By(r))
}

// says is who concluded what, in brackets; of what is a question alone, who asked.
func says(r *gitstore.Record) string {
	if r == nil {
		return ""
	}
	by := provenance.ByShort(*r)
	if r.Thesis == "" {
		return " (by " + by + ")"
	}
	if !r.Own {
		by += ","
	}
	return fmt.Sprintf(" (%s holds: %s)", by, brief.Line(provenance.Said(r.Own, r.Thesis), 120))
}

// HalfTheTime is a context for what may be left out.
func HalfTheTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// Skill is the skill that is active where nobody names one: that of the settings,
// else that of the last checkpoint; "" if there is none.
func (se *Session) Skill(ctx context.Context) string {
	if s := se.stores.Settings().Skill; s != "" {
		return s
	}
	if r, err := se.Latest(ctx); err == nil && r != nil {
		return r.Skill
	}
	return ""
}
