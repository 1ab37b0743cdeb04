package gitstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A following is where the line that goes with git's branch is (follow_branch). Nothing
// is written to find it, and a repository where it is known needs no process for it: a
// few files are read.
type following struct {
	branch string // git's branch; "": nothing is followed
	line   string
	bond   *bond  // what is kept here of that; nil is nothing yet
	was    string // the name that the branch had, if it was renamed since; "" is the same
	start  string // of a line that does not exist yet: the checkpoint that its first one continues; "" is none
}

// follow is where that is, as it was found when somebody asked first.
func (s *Store) follow() (f following) {
	if look := s.followed.Load(); look != nil {
		return (*look)()
	}
	return f
}

// findLine looks for it. Of a store without a work tree, and where HEAD belongs to no
// branch, nothing is followed.
func (s *Store) findLine(ctx context.Context) (f following) {
	if s.o.Global || s.where.top == "" || !s.flag("sage.followbranch", false) {
		return f
	}
	if f.branch = s.headBelongs(ctx); f.branch == "" {
		return f
	}
	void := s.chooseLine(ctx, &f)
	if f.line != "" && !s.isUnborn(ctx, f.line) {
		return f
	}
	if !s.knownLine(ctx, &f) {
		s.lookAtLines(ctx, &f, void)
	}
	return f
}

// lookAtLines finds the line of a branch of which nothing is known, and where one that
// does not exist yet begins. That takes a few processes, so it is kept.
func (s *Store) lookAtLines(ctx context.Context, f *following, void string) {
	if f.line == "" {
		f.line = s.lineFor(ctx, f.branch, void)
	}
	if s.isUnborn(ctx, f.line) {
		f.start = s.startOf(ctx, *f)
	}
	if !s.unsure.Load() {
		s.keepLine(ctx, *f)
	}
}

func (s *Store) isUnborn(ctx context.Context, line string) bool {
	tip, err := s.tipKnown(ctx, headRef(line))
	return err == nil && tip == ""
}

// chooseLine decides which line goes with a branch. The cases, in order:
//
//  1. it was decided here before: by a save, or by `git sage switch`
//  2. the branch had another name, of which that holds: the same line
//  3. the default branch of the repository: main
//  4. a note of a line says so, as it came from a teammate
//  5. a line of the branch's name; see [Store.freeLine]
//
// What a stranger's note says counts for none of the first three, and the others are left
// to [Store.lookAtLines]: the line stays "". A branch that was deleted and made again is
// another one, unless what the line came to is in it; void is the line that it had.
func (s *Store) chooseLine(ctx context.Context, f *following) (void string) {
	b, again := s.bondOf(f.branch), false
	if b != nil {
		again = s.madeAgain(b)
	}
	switch {
	case b != nil && !again:
		f.bond, f.line = b, b.Line
	case s.followRenamed(ctx, f):
	case s.isDefaultBranch(ctx, f.branch):
		f.line = DefaultLine
	case b != nil:
		void = b.Line
	}
	return void
}

// followRenamed takes over what is kept of the branch under its old name, which git's
// log of the branch tells, and which must be gone.
func (s *Store) followRenamed(ctx context.Context, f *following) bool {
	for _, old := range s.formerNames(f.branch) {
		b := s.bondOf(old)
		if b == nil || s.madeAgain(&bond{Branch: f.branch, Created: b.Created}) {
			continue
		}
		if branches, err := s.gitBranches(ctx, old); err == nil && branches[old] == "" {
			f.bond, f.line, f.was = b, b.Line, old
			return true
		}
	}
	return false
}

// lineFor is the line of a branch of which nothing is kept here. void is the line of a
// branch of that name that is gone.
func (s *Store) lineFor(ctx context.Context, branch, void string) string {
	notes := s.notes(ctx)
	usable := func(name string) bool { return s.usable(ctx, name, branch, notes[name], name == void) }
	var claim []string
	for name, n := range notes {
		if CheckName(name) == nil && slices.Contains(n.Branches, branch) && n.RenamedTo == "" && name != DefaultLine && usable(name) {
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
	return s.freeLine(branch, usable)
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
func (s *Store) usable(ctx context.Context, name, branch string, n LineNote, gone bool) bool {
	if name == DefaultLine || readsAsID(name) || n.RenamedTo != "" || len(n.Branches) > 0 && !slices.Contains(n.Branches, branch) {
		return false
	}
	if !gone && !n.Closed {
		return true
	}
	tip, err := s.tipKnown(ctx, headRef(name))
	if err != nil || tip == "" {
		return err == nil
	}
	c := s.codeBehind(tip)
	return c != "" && s.Ancestors(ctx, []string{c})[c]
}

// codeBehind is the commit of the user's at which the newest checkpoint at or behind tip
// that knows one was saved; "" is none.
func (s *Store) codeBehind(tip string) string {
	for _, r := range s.Recent(context.Background(), tip, maxSteps) {
		if r.Code.Commit != "" {
			return r.Code.Commit
		}
	}
	return ""
}

// tipKnown is the value of a ref, "" if it does not exist. Where the files tell, no git is
// asked: whoever moves it compares with what git says.
func (s *Store) tipKnown(ctx context.Context, name string) (string, error) {
	if s.where.ref == name {
		return s.where.tip, nil
	}
	refs, err := s.refs(ctx, name)
	for _, r := range refs {
		if r.name == name {
			return r.id, nil
		}
	}
	return "", err
}

// GitBranch is the branch of git's that the current line goes with, as a text to be shown;
// "" where none is followed.
func (s *Store) GitBranch() string { return sage.OneLine(s.follow().branch) }

// gitBranches are the local branches of the user's own, by name, with their commits: those
// of some names, or all. To read ten thousand takes 100 ms.
func (s *Store) gitBranches(ctx context.Context, names ...string) (map[string]string, error) {
	var want []string
	for _, name := range names {
		if branchName(name) {
			want = append(want, headsOfUser+name)
		}
	}
	out := map[string]string{}
	if len(names) > 0 && len(want) == 0 {
		return out, nil
	}
	if len(want) == 0 {
		want = []string{headsOfUser}
	}
	refs, err := s.refs(ctx, want...)
	for _, r := range refs {
		out[strings.TrimPrefix(r.name, headsOfUser)] = r.id
	}
	return out, err
}

// moved is a stand on the branch that HEAD is on now. Where a session stood on other
// branches is kept, so that it goes on from there when HEAD comes back.
func (t stand) movedTo(f following) stand {
	switch {
	case f.branch == "" || t.Branch == f.branch:
		return t
	case t.Branch == "" && t.Line == f.line, f.was != "" && t.Branch == f.was:
		t.Branch = f.branch
		return t
	}
	others := maps.Clone(t.Others)
	if t.Branch != "" {
		if others == nil {
			others = map[string]spot{}
		}
		others[t.Branch] = spot{t.Line, t.Ref, t.Seen}
	}
	at, known := others[f.branch]
	delete(others, f.branch)
	if !known || !at.sound() {
		at = spot{Line: f.line}
	}
	t.Branch, t.Line, t.Ref, t.Seen, t.Others = f.branch, at.Line, at.Ref, at.Seen, thin(others)
	return t
}

// mostSpots bounds the branches on which a session is known to have stood.
const mostSpots = 50

func thin(m map[string]spot) map[string]spot {
	for name := range m {
		if len(m) <= mostSpots {
			break
		}
		delete(m, name)
	}
	return m
}
