package gitstore

import (
	"context"
	"errors"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Status says where the session stands.
func (s *Store) Status(ctx context.Context) (Status, error) {
	ctx = s.Commits.Viewing(ctx)
	waiting := repo.Early(func() []string { return s.Knowledge.Disagreeing(ctx) })
	defer waiting()
	items := repo.Early(s.Knowledge.CountItems)
	defer items()
	t := s.Session.Stand()
	st := Status{Repository: s.Repo.Top(), GitDir: s.Repo.Where.GitDir, CommonDir: s.Repo.Where.CommonDir, Line: t.Line, Session: s.Repo.Options.Session, Branch: s.Follow.GitBranch(), OffBranch: s.Follow.HeadDetached(), Paired: s.Follow.Paired(ctx, t.Line), Begins: t.Begins}
	if st.Repository == "" {
		st.Repository = s.Repo.Where.GitDir
	}
	st.Disabled = s.Repo.Enabled() != nil
	p, fallback := s.Repo.PersonOf(ctx, "committer")
	st.Identity, st.Fallback = p.String(), fallback
	var err error
	if st.Parent, err = s.Commits.Seen(ctx); err != nil && !errors.Is(err, repo.ErrNotFound) {
		return st, err
	}
	lines, err := s.Lines.List(ctx)
	if err != nil {
		return st, err
	}
	for _, l := range lines {
		st.add(l)
	}
	st.Merged = s.Follow.MergedLines(ctx, lines)
	st.Unmerged = slices.DeleteFunc(s.Follow.UnmergedLines(ctx, lines), func(u follow.UnmergedLine) bool {
		return slices.ContainsFunc(st.Merged, func(m follow.MergedLine) bool { return m.Name == u.Name })
	})
	st.Lost = s.lostOn(ctx, t.Line, lines)
	if t.Seen != "" {
		st.Detached = s.Checkpoints.ForksNext(ctx)
	}
	st.Disagree, st.Items = waiting(), items()
	st.Saved, st.Recalled = s.Knowledge.LastSaved(st.Saved), s.Knowledge.LastGiven()
	st.Refused = s.Exchange.Refusals(ctx)
	st.Buried, err = s.Commits.RemovedElsewhere(ctx)
	return st, err
}

// Head is what is checked out of the user's own where lines follow branches: a branch, or HEAD
// if that is detached.
func (st *Status) Head() string {
	if st.OffBranch {
		return "HEAD"
	}
	return st.Branch
}

// Waits reports whether anything is to be merged or settled.
func (st *Status) Waits() bool {
	return len(st.Forks)+len(st.Unsettled)+len(st.Merged)+len(st.Disagree) > 0
}

// lostOn is what a save on a line would be refused with, and a reader passes over.
func (s *Store) lostOn(ctx context.Context, line string, lines []commits.Line) error {
	i := slices.IndexFunc(lines, func(l commits.Line) bool { return !l.Fork && l.Name == line })
	tip := ""
	if i >= 0 {
		tip = lines[i].Tip
	}
	var lost *journal.LostError
	if e, known := s.journal.LastEntry(refname.HeadRef(line)); !known || e.Agrees(tip) || !errors.As(s.History.Guard(ctx, refname.HeadRef(line), tip), &lost) {
		return nil
	}
	return lost
}

func (st *Status) add(l commits.Line) {
	switch {
	case l.Fork:
		st.Forks = append(st.Forks, l)
	case l.Tip != "" && !l.Note.Closed:
		st.Lines++
	}
	if l.Latest != nil && l.Latest.Recorded.After(st.Saved) {
		st.Saved = l.Latest.Recorded
	}
	st.AddUnsettled(l)
}

// AddUnsettled adds the merge of a line that waits for a thesis: once, under the names of all
// lines on which it does. On a line that was closed none is waited for.
func (st *Status) AddUnsettled(l commits.Line) {
	if l.Open == nil || l.Note.Closed && !l.Current {
		return
	}
	i := slices.IndexFunc(st.Unsettled, func(r Record) bool { return r.ID == l.Open.ID })
	if i < 0 {
		r := *l.Open
		r.Names = l.Latest.Names
		st.Unsettled = append(st.Unsettled, r)
		return
	}
	r := &st.Unsettled[i]
	r.Names = slices.Concat(r.Names, slices.DeleteFunc(slices.Clone(l.Latest.Names), func(name string) bool { return slices.Contains(r.Names, name) }))
}
