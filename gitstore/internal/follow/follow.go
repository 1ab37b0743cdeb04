package follow

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// FindLine looks for it. Of a store without a work tree, and where HEAD belongs to no
// branch, nothing is followed.
func (fo *Follower) FindLine(ctx context.Context) (f session.Following) {
	if fo.repo.Options.Global || fo.repo.Where.Top == "" || !fo.repo.Flag("sage.followbranch", false) {
		return f
	}
	if f.Branch, f.Detached = fo.headBelongs(ctx); f.Branch == "" {
		return f
	}
	void := fo.chooseLine(ctx, &f)
	if f.Line != "" && !fo.isUnborn(ctx, f.Line) {
		return f
	}
	if !fo.knownLine(ctx, &f) {
		fo.lookAtLines(ctx, &f, void)
	}
	return f
}

// lookAtLines finds the line of a branch of which nothing is known, and where one that
// does not exist yet begins. That takes a few processes, so it is kept.
func (fo *Follower) lookAtLines(ctx context.Context, f *session.Following, void string) {
	if f.Line == "" {
		f.Line = fo.lineFor(ctx, f.Branch, void)
	}
	if fo.isUnborn(ctx, f.Line) {
		f.Start = fo.startOf(ctx, *f)
	}
	if !fo.unsure.Load() {
		fo.keepLine(ctx, *f)
	}
}

// isUnborn reports whether a line does not exist yet. One that was taken away does: it
// is missed, and not begun again elsewhere.
func (fo *Follower) isUnborn(ctx context.Context, line string) bool {
	tip, err := fo.tipKnown(ctx, refname.HeadRef(line))
	return err == nil && tip == "" && fo.history.NotLost(ctx, refname.HeadRef(line), "") == nil
}

// chooseLine decides which line goes with a branch. The cases, in order:
//
//  1. it was decided here before: by a save, or by `git sage switch`, also while branches
//     were not followed
//  2. the branch had another name, of which that holds: the same line
//  3. the default branch of the repository: main
//  4. a note of a line says so, as it came from a teammate
//  5. a line of the branch's name; see [Follower.freeLine]
//
// What a stranger's note says counts for none of the first three, and the others are left
// to [Follower.lookAtLines]: the line stays "". A branch that was deleted and made again is
// another one, unless what the line came to is in it; void is the line that it had.
func (fo *Follower) chooseLine(ctx context.Context, f *session.Following) (void string) {
	b, again := fo.bondOf(f.Branch), false
	if b != nil {
		again = fo.madeAgain(b)
	}
	switch {
	case b != nil && !again:
		f.Bond, f.Line = b, b.Line
	case b == nil && fo.switchedBefore(ctx, f):
	case fo.followRenamed(ctx, f):
	case fo.isDefaultBranch(ctx, f.Branch):
		f.Line = refname.DefaultLine
	case b != nil:
		void = b.Line
	}
	return void
}

// switchedBefore takes the line to which somebody switched in this work tree while branches
// were not followed. The first save has the branch go with it, and forgets that.
func (fo *Follower) switchedBefore(ctx context.Context, f *session.Following) bool {
	line := fo.session.SwitchedTo()
	if line == refname.DefaultLine || fo.isUnborn(ctx, line) {
		return false
	}
	f.Line = line
	return true
}

// followRenamed takes over what is kept of the branch under its old name, which git's
// log of the branch tells, and which must be gone.
func (fo *Follower) followRenamed(ctx context.Context, f *session.Following) bool {
	for _, old := range fo.formerNames(f.Branch) {
		b := fo.bondOf(old)
		if b == nil || fo.madeAgain(&session.Bond{Branch: f.Branch, Created: b.Created}) {
			continue
		}
		if branches, err := fo.gitBranches(ctx, old); err == nil && branches[old] == "" {
			f.Bond, f.Line, f.Was = b, b.Line, old
			return true
		}
	}
	return false
}

// lineFor is the line of a branch of which nothing is kept here. void is the line of a
// branch of that name that is gone.
func (fo *Follower) lineFor(ctx context.Context, branch, void string) string {
	notes := fo.Notes(ctx)
	usable := func(name string) bool { return fo.usable(ctx, name, branch, notes[name], name == void) }
	var claim []string
	for name, n := range notes {
		if refname.CheckName(name) == nil && slices.Contains(n.Branches, branch) && n.RenamedTo == "" && name != refname.DefaultLine && usable(name) {
			claim = append(claim, name)
		}
	}
	first := plainLine(branch)
	slices.SortFunc(claim, func(a, b string) int { // open ones, and that of the same name, first
		rank := func(name string) int { return 2*truth(notes[name].Closed) + truth(name != first) }
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return slices.Index([]string{min(a, b), max(a, b)}, a)*2 - 1
	})
	if len(claim) > 0 {
		return claim[0]
	}
	return fo.FreeLine(branch, usable)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// usable reports whether a branch may take a line: one that is not there, that is the
// branch's or nobody's; and of one that is closed, or whose branch is gone, only where
// the code that it came to is behind HEAD.
func (fo *Follower) usable(ctx context.Context, name, branch string, n commits.LineNote, gone bool) bool {
	if name == refname.DefaultLine || refname.ReadsAsID(name) || n.RenamedTo != "" || len(n.Branches) > 0 && !slices.Contains(n.Branches, branch) {
		return false
	}
	if !gone && !n.Closed {
		return true
	}
	tip, err := fo.tipKnown(ctx, refname.HeadRef(name))
	if err != nil || tip == "" {
		return err == nil
	}
	c := fo.codeBehind(tip)
	return c != "" && fo.Ancestors(ctx, []string{c})[c]
}

// codeBehind is the commit of the user's at which the newest checkpoint at or behind tip
// that knows one was saved; "" is none.
func (fo *Follower) codeBehind(tip string) string {
	for _, r := range fo.commits.Recent(context.Background(), tip, history.MaxSteps) {
		if r.Code.Commit != "" {
			return r.Code.Commit
		}
	}
	return ""
}

// tipKnown is the value of a ref, "" if it does not exist. Where the files tell, no git is
// asked: whoever moves it compares with what git says.
func (fo *Follower) tipKnown(ctx context.Context, name string) (string, error) {
	refs, err := fo.repo.Refs(ctx, name)
	for _, r := range refs {
		if r.Name == name {
			return r.ID, nil
		}
	}
	return "", err
}

// GitBranch is the branch of git's that the current line goes with, as a text to be shown;
// "" where none is followed.
func (fo *Follower) GitBranch() string { return legible.OneLine(fo.session.Follow().Branch) }

// HeadDetached reports whether HEAD is on no branch: the one that is followed is that which it
// left, or to which a rebase or a bisect goes back.
func (fo *Follower) HeadDetached() bool { return fo.session.Follow().Detached }

// Paired reports whether a line is the one that goes with the branch, and that is worth a
// mention: a session may stand on another, and a default branch has the line main.
func (fo *Follower) Paired(ctx context.Context, line string) bool {
	f := fo.session.Follow()
	return f.Branch != "" && line == f.Line && !(line == refname.DefaultLine && fo.isDefaultBranch(ctx, f.Branch))
}

// OnDefaultBranch reports whether that is the repository's default branch, whose line is
// main everywhere and needs no mention.
func (fo *Follower) OnDefaultBranch(ctx context.Context) bool {
	branch := fo.session.Follow().Branch
	return branch != "" && fo.isDefaultBranch(ctx, branch)
}
