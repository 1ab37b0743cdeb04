package gitstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

const (
	startLines = 200 // lines that are looked at for where a new one begins
	startDepth = 100 // checkpoints of each
)

// A beginning is a checkpoint at which a new line could begin: the newest of a line that
// knows nothing but what HEAD has.
type beginning struct {
	id     string
	commit string // of the user's; "" if none of the line knows one
}

// startOf is the checkpoint at which the line of a new branch begins: of those that were
// saved at a commit that is HEAD or behind it, the nearest; of several the one on the
// line of the branch that it was made from, then that on the default line. Where there is
// none it is the tip of the default line, and without that "".
func (s *Store) startOf(ctx context.Context, f following) string {
	refs, err := s.refs(ctx, headsPrefix)
	if err != nil || len(refs) == 0 {
		return ""
	}
	refs = s.preferred(ctx, refs, f.branch)
	var all []Record
	lines := make([][]Record, len(refs))
	for i, r := range refs {
		lines[i] = s.Recent(ctx, r.id, startDepth)
		all = append(all, lines[i]...)
	}
	behind := s.Ancestors(ctx, commitsOf(all))
	var found []beginning
	for _, line := range lines {
		if b, ok := s.beginningOf(ctx, line, behind); ok {
			found = append(found, b)
		}
	}
	if at := s.nearest(ctx, found); at != "" {
		return at
	}
	if i := slices.IndexFunc(refs, func(r ref) bool { return r.name == headRef(DefaultLine) }); i >= 0 {
		id, _ := s.live(ctx, refs[i].id)
		return id
	}
	return ""
}

// preferred puts the line of the branch from which another was made first, then the
// default line, and leaves out what is too much.
func (s *Store) preferred(ctx context.Context, refs []ref, branch string) []ref {
	from := s.lineOfBranch(ctx, s.madeFrom(branch))
	rank := func(r ref) int {
		switch r.name {
		case headRef(from):
			return 0
		case headRef(DefaultLine):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(refs, func(a, b ref) int { return cmp.Compare(rank(a), rank(b)) })
	return refs[:min(len(refs), startLines)]
}

// lineOfBranch is the line of a branch, also of a remote one, as far as that is known
// here; "" is none.
func (s *Store) lineOfBranch(ctx context.Context, branch string) string {
	for _, name := range []string{branch, withoutRemote(branch)} {
		if b := s.bondOf(name); name != "" && b != nil {
			return b.Line
		}
		if s.isDefaultBranch(ctx, name) {
			return DefaultLine
		}
	}
	return plainLine(branch)
}

func commitsOf(records []Record) (out []string) {
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
func (s *Store) beginningOf(ctx context.Context, line []Record, behind map[string]bool) (b beginning, ok bool) {
	for _, r := range line {
		if r.Kind == KindTombstone {
			continue
		}
		if r.Code.Commit != "" && !behind[r.Code.Commit] {
			b.id = ""
			continue
		}
		if b.id == "" {
			b.id = r.ID
		}
		if b.commit = r.Code.Commit; b.commit != "" {
			break
		}
	}
	if b.id != "" {
		b.id, _ = s.live(ctx, b.id)
	}
	return b, b.id != ""
}

// nearest is the first of some beginnings behind whose commit no other is; one that knows
// no commit only where none does.
func (s *Store) nearest(ctx context.Context, found []beginning) string {
	known := slices.DeleteFunc(slices.Clone(found), func(b beginning) bool { return b.commit == "" })
	if len(known) == 0 {
		known = found
	}
	if len(known) == 0 {
		return ""
	}
	var commits []string
	for _, b := range known {
		commits = append(commits, b.commit)
	}
	slices.Sort(commits)
	if commits = slices.Compact(commits); len(commits) == 1 {
		return known[0].id
	}
	ctx, cancel := context.WithTimeout(ctx, ancestorsWithin)
	defer cancel()
	out, err := s.git.Run(ctx, append([]string{"merge-base", "--independent"}, commits[:min(len(commits), startLines)]...)...)
	top := strings.Fields(string(out))
	i := slices.IndexFunc(known, func(b beginning) bool { return slices.Contains(top, b.commit) })
	if err != nil || i < 0 {
		return known[0].id
	}
	return known[i].id
}
