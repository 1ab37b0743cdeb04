package follow

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A MergedLine is a line that goes with a branch of git's which was merged into the one
// that is checked out, so that what it came to holds there, too.
type MergedLine struct {
	commits.Line
	Branch string // as a text to be shown
}

// mostMerged bounds the lines of which that is asked.
const mostMerged = 100

// MergedLines are those of some lines, as [write.Lines.List] returns them, whose branch is
// merged into the current line's, by squash or not, and which that line does not hold yet.
// A branch without a commit of its own is merged into nothing. Where nothing is followed
// there are none.
func (fo *Follower) MergedLines(ctx context.Context, lines []commits.Line) (out []MergedLine) {
	f := fo.session.Follow()
	if f.Branch == "" || fo.repo.Code().Commit == "" {
		return nil
	}
	found := fo.mergeable(ctx, f, lines)
	var commits []string
	for _, m := range found {
		commits = append(commits, m.commit)
	}
	behind := fo.Ancestors(ctx, commits)
	beside := slices.DeleteFunc(slices.Clone(found), func(m candidate) bool { return behind[m.commit] })
	found = slices.DeleteFunc(found, func(m candidate) bool { return !behind[m.commit] })
	found = fo.withOwn(ctx, found)
	if len(beside) > 0 {
		squashed := fo.squashed(ctx, beside)
		found = append(found, slices.DeleteFunc(beside, func(m candidate) bool { return !squashed[m.commit] })...)
	}
	if len(found) == 0 {
		return nil
	}
	held := fo.holding(ctx, fo.session.Stand(), found)
	for _, m := range found {
		if !held[m.Tip] {
			m.Branch = legible.OneLine(m.Branch)
			out = append(out, m.MergedLine)
		}
	}
	return out
}

// A candidate is a line that may have been merged.
type candidate struct {
	MergedLine
	commit string // the tip of its branch, else the commit at which it was saved last
	began  string // the commit at which the branch was made; "" if nobody knows
}

// mergeable are the lines that go with another branch and that nobody closed by hand.
func (fo *Follower) mergeable(ctx context.Context, f session.Following, lines []commits.Line) (out []candidate) {
	current := fo.session.CurrentLine()
	var names []string
	for _, l := range lines {
		closed := l.Note.RenamedTo != "" || l.Note.ClosedByHand()
		if l.Fork || l.Name == current || l.Name == f.Line || l.Name == refname.DefaultLine || l.Latest == nil || closed || len(out) == mostMerged {
			continue
		}
		c := candidate{MergedLine: MergedLine{l, l.Latest.Code.Branch}, commit: l.Latest.Code.Commit, began: l.Note.Began}
		if list := slices.Concat(l.Note.Branches, l.Note.Gone); len(list) > 0 {
			c.Branch = list[len(list)-1]
		}
		if c.Branch != "" && c.Branch != f.Branch {
			out, names = append(out, c), append(names, c.Branch)
		}
	}
	if len(names) == 0 {
		return nil
	}
	branches, _ := fo.gitBranches(ctx, names...) // else none is known
	for i := range out {
		c := &out[i]
		if tip := branches[c.Branch]; tip != "" && slices.Contains(c.Note.Branches, c.Branch) {
			c.commit, c.began = tip, cmp.Or(fo.beganAt(c.Branch), c.began)
		}
	}
	return slices.DeleteFunc(out, func(c candidate) bool { return c.commit == "" })
}

// withOwn are the candidates whose branch had a commit of its own: another than the one
// at which it was made. Where nobody knows that one, it must not be one of the commits
// that the branch that is checked out made itself.
func (fo *Follower) withOwn(ctx context.Context, list []candidate) []candidate {
	var main map[string]bool
	return slices.DeleteFunc(list, func(c candidate) bool {
		if c.began != "" {
			return c.commit == c.began
		}
		if main == nil {
			main = fo.mainline(ctx)
		}
		return main[c.commit]
	})
}

// holding tells which tips of lines the current line holds.
func (fo *Follower) holding(ctx context.Context, t session.Stand, list []candidate) map[string]bool {
	tip, err := fo.tipKnown(ctx, t.On())
	if tip == "" {
		tip = t.Seen
	}
	if err != nil || tip == "" {
		return nil
	}
	var ids []string
	for _, c := range list {
		ids = append(ids, c.Tip)
	}
	beside, err := fo.beside(ctx, ids, tip)
	held := map[string]bool{}
	for _, id := range ids {
		held[id] = err == nil && !beside[id]
	}
	return held
}

// ShowTurns shows lines as they stand: one that goes with no branch any more is closed,
// also before a save records that, and one whose branch has another name goes with that.
func (fo *Follower) ShowTurns(ctx context.Context, lines []commits.Line) {
	if fo.session.Follow().Branch == "" {
		return
	}
	for _, t := range fo.turns(ctx) {
		i := slices.IndexFunc(lines, func(l commits.Line) bool { return !l.Fork && l.Name == t.line })
		if i < 0 {
			continue
		}
		n := &lines[i].Note
		n.Branches = slices.DeleteFunc(slices.Clone(n.Branches), func(b string) bool { return b == t.branch })
		if t.now != "" {
			n.Branches = append(n.Branches, t.now)
			continue
		}
		if n.ClosedByHand() {
			continue
		}
		n.Gone = append(slices.Clone(n.Gone), t.branch)
		n.Closed = n.Closed || len(n.Branches) == 0 && t.line != refname.DefaultLine && !lines[i].Current
	}
}
