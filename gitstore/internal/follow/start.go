package follow

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

const (
	startLines   = 200 // lines that are looked at for where a new one begins
	startDepth   = 100 // checkpoints of each
	startCommits = 20  // commits of the user's, of each
)

// A beginning is a checkpoint at which a new line could begin: the newest of a line that
// knows nothing but what HEAD has.
type beginning struct {
	id      string
	commits []string // of the user's, of what it continues too; nil if none of the line knows one
}

// startOf is the checkpoint at which the line of a new branch begins: of those that were
// saved at a commit that is HEAD or behind it, or continue one that was, the nearest; of
// several the one on the line of the branch that it was made from, then that on the default
// line. Where there is none it is the tip of the default line, and without that "". The
// default line itself continues nothing: what a branch came to is merged into it by a person.
// Nor does anything continue a private line, but on a branch that was made from that line's:
// it would be private as well, although nobody said so.
func (fo *Follower) startOf(ctx context.Context, f session.Following) string {
	refs, err := fo.repo.Refs(ctx, refname.HeadsPrefix)
	if err != nil || len(refs) == 0 || f.Line == refname.DefaultLine {
		return ""
	}
	refs = fo.preferred(ctx, refs, f.Branch)
	var all []record.Record
	lines := make([][]record.Record, len(refs))
	for i, r := range refs {
		lines[i] = fo.commits.Recent(ctx, r.ID, startDepth)
		all = append(all, lines[i]...)
	}
	behind := fo.Ancestors(ctx, commitsOf(all))
	var found []beginning
	for _, line := range lines {
		if b, ok := fo.beginningOf(ctx, line, behind); ok {
			found = append(found, b)
		}
	}
	if at := fo.nearest(ctx, found); at != "" {
		return at
	}
	if i := slices.IndexFunc(refs, func(r refname.Ref) bool { return r.Name == refname.HeadRef(refname.DefaultLine) }); i >= 0 {
		id, _ := fo.commits.Live(ctx, refs[i].ID)
		return id
	}
	return ""
}

// preferred puts the line of the branch from which another was made first, then the
// default line, and leaves out what is too much, or private.
func (fo *Follower) preferred(ctx context.Context, refs []refname.Ref, branch string) []refname.Ref {
	from := fo.lineOfBranch(ctx, fo.madeFrom(branch))
	isPrivate := fo.repo.Privacy()
	refs = slices.DeleteFunc(slices.Clone(refs), func(r refname.Ref) bool {
		line := strings.TrimPrefix(r.Name, refname.HeadsPrefix)
		return line != from && isPrivate(line)
	})
	rank := func(r refname.Ref) int {
		switch r.Name {
		case refname.HeadRef(from):
			return 0
		case refname.HeadRef(refname.DefaultLine):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(refs, func(a, b refname.Ref) int { return cmp.Compare(rank(a), rank(b)) })
	return refs[:min(len(refs), startLines)]
}

// lineOfBranch is the line of a branch, also of a remote one, as far as that is known
// here; "" is none.
func (fo *Follower) lineOfBranch(ctx context.Context, branch string) string {
	for _, name := range []string{branch, withoutRemote(branch)} {
		if b := fo.bondOf(name); name != "" && b != nil {
			return b.Line
		}
		if fo.isDefaultBranch(ctx, name) {
			return refname.DefaultLine
		}
	}
	return plainLine(branch)
}

// LineOf is the line that goes with a git branch that is or was here; "" where there is none,
// or one of the same name.
func (fo *Follower) LineOf(ctx context.Context, branch string) string {
	there, err := fo.gitBranches(ctx, branch)
	if err != nil || !branchName(branch) || there[branch] == "" && fo.bondOf(branch) == nil {
		return ""
	}
	line := fo.lineOfBranch(ctx, branch)
	if line == branch || line == "" || fo.isUnborn(ctx, line) {
		return ""
	}
	return line
}

func commitsOf(records []record.Record) (out []string) {
	for _, r := range records {
		if r.Code.Commit != "" {
			out = append(out, r.Code.Commit)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beginningOf is the newest checkpoint of a line, newest first, at or behind which the
// code is behind HEAD. One that knows no commit counts as the one that it follows.
func (fo *Follower) beginningOf(ctx context.Context, line []record.Record, behind map[string]bool) (b beginning, ok bool) {
	for _, r := range line {
		if r.Kind == record.KindTombstone {
			continue
		}
		if r.Code.Commit != "" && !behind[r.Code.Commit] {
			if len(b.commits) == 0 {
				b.id = ""
			}
			continue
		}
		if b.id == "" {
			b.id = r.ID
		}
		if c := r.Code.Commit; c != "" && !slices.Contains(b.commits, c) {
			if b.commits = append(b.commits, c); len(b.commits) == startCommits {
				break
			}
		}
	}
	if b.id != "" {
		b.id, _ = fo.commits.Live(ctx, b.id)
	}
	return b, b.id != ""
}

// nearest is the first of some beginnings that know a commit which is behind no other; one
// that knows no commit only where none does.
func (fo *Follower) nearest(ctx context.Context, found []beginning) string {
	known := slices.DeleteFunc(slices.Clone(found), func(b beginning) bool { return len(b.commits) == 0 })
	if len(known) == 0 {
		known = found
	}
	if len(known) == 0 {
		return ""
	}
	var commits []string
	for _, b := range known {
		commits = append(commits, b.commits...)
	}
	slices.Sort(commits)
	if commits = slices.Compact(commits); len(commits) == 1 {
		return known[0].id
	}
	ctx, cancel := context.WithTimeout(ctx, fo.Within)
	defer cancel()
	out, err := fo.repo.Git.Run(ctx, append([]string{"merge-base", "--independent"}, commits[:min(len(commits), startLines)]...)...)
	top := strings.Fields(string(out))
	i := slices.IndexFunc(known, func(b beginning) bool {
		return slices.ContainsFunc(b.commits, func(c string) bool { return slices.Contains(top, c) })
	})
	if err != nil || i < 0 {
		return known[0].id
	}
	return known[i].id
}
