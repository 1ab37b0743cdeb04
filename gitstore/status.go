package gitstore

import (
	"context"
	"errors"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Status says where the session stands.
func (s *Store) Status(ctx context.Context) (Status, error) {
	ctx = s.viewing(ctx)
	waiting := early(func() []string { return s.Disagreeing(ctx) })
	defer waiting()
	items := early(s.countItems)
	defer items()
	t := s.stand()
	st := Status{Repository: s.Top(), GitDir: s.where.gitDir, CommonDir: s.where.commonDir, Line: t.Line, Session: s.o.Session, Branch: s.GitBranch(), Begins: t.begins}
	if st.Repository == "" {
		st.Repository = s.where.gitDir
	}
	st.Disabled = s.Enabled() != nil
	p, fallback := s.identity(ctx, "committer")
	st.Identity, st.Fallback = p.String(), fallback
	var err error
	if st.Parent, err = s.Seen(ctx); err != nil && !errors.Is(err, ErrNotFound) {
		return st, err
	}
	lines, err := s.Lines(ctx)
	if err != nil {
		return st, err
	}
	for _, l := range lines {
		st.add(l)
	}
	st.Merged = s.MergedLines(ctx, lines)
	st.Unmerged = slices.DeleteFunc(s.UnmergedLines(ctx, lines), func(u UnmergedLine) bool {
		return slices.ContainsFunc(st.Merged, func(m MergedLine) bool { return m.Name == u.Name })
	})
	st.Lost = s.lostOn(ctx, t.Line, lines)
	if t.Seen != "" {
		pl, err := s.place(ctx, Draft{}, false)
		st.Detached = err == nil && pl.forked
	}
	st.Disagree, st.Items = waiting(), items()
	st.Saved, st.Recalled = s.lastSaved(st.Saved), s.lastRecalled()
	st.Refused = s.refusals(ctx)
	return st, nil
}

// Waits reports whether anything is to be merged or settled.
func (st *Status) Waits() bool {
	return len(st.Forks)+len(st.Unsettled)+len(st.Merged)+len(st.Disagree) > 0
}

// lostOn is what a save on a line would be refused with, and a reader passes over.
func (s *Store) lostOn(ctx context.Context, line string, lines []Line) error {
	i := slices.IndexFunc(lines, func(l Line) bool { return !l.Fork && l.Name == line })
	tip := ""
	if i >= 0 {
		tip = lines[i].Tip
	}
	var lost *LostError
	if e, known := s.lastEntry(headRef(line)); !known || e.agrees(tip) || !errors.As(s.guard(ctx, headRef(line), tip), &lost) {
		return nil
	}
	return lost
}

func (st *Status) add(l Line) {
	switch {
	case l.Fork:
		st.Forks = append(st.Forks, l)
	case l.Tip != "" && !l.Note.Closed:
		st.Lines++
	}
	if l.Latest != nil && l.Latest.Recorded.After(st.Saved) {
		st.Saved = l.Latest.Recorded
	}
	if l.Latest != nil && l.Latest.Thesis == sage.NeedsSynthesis {
		st.Unsettled = append(st.Unsettled, *l.Latest)
	}
}
