package search

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Settled tells which of some checkpoints had a thesis that another one of them, a merge with a
// thesis of its own, brought together with another: the id of the merge by theirs. What somebody
// elsewhere merged, and nobody here stands for, settles nothing of one's own.
func Settled(s *gitstore.Store, ids []string) map[string]string {
	by := map[string]string{}
	for _, id := range ids {
		m, err := s.Commits.CommitRecord(id)
		if err != nil || m.IsJoin() || m.Thesis == sage.NeedsSynthesis { // one that cannot be read says nothing
			continue
		}
		for _, side := range sidesOf(s, m) {
			if slices.Contains(ids, side) && (m.Own || !s.Ownership.IsOwn(side)) {
				by[side] = id
			}
		}
	}
	return by
}

// sidesOf are the sides of a merge, or of the unsettled one that a checkpoint goes on from, and it.
func sidesOf(s *gitstore.Store, m gitstore.Record) (sides []string) {
	if len(m.Parents) == 1 {
		if open, err := s.Commits.CommitRecord(m.Parents[0]); err == nil && open.Thesis == sage.NeedsSynthesis {
			m, sides = open, []string{open.ID}
		}
	}
	if len(m.Parents) < 2 || m.IsJoin() {
		return nil
	}
	for _, p := range m.Parents {
		if p, err := s.Commits.SkipTombstones(p); err == nil {
			sides = append(sides, p)
		}
	}
	return sides
}

// belowSynthesis puts what a merge settled below its synthesis, and says so.
func belowSynthesis(s *gitstore.Store, list []Found) []Found {
	ids := make([]string, len(list))
	for i, f := range list {
		ids[i] = f.ID
	}
	by := Settled(s, ids)
	if len(by) == 0 {
		return list
	}
	out := make([]Found, 0, len(list))
	var place func(i int)
	place = func(i int) {
		if i < 0 || ids[i] == "" {
			return
		}
		id := ids[i]
		ids[i] = ""
		if list[i].Later = by[id]; list[i].Later != "" {
			place(slices.Index(ids, list[i].Later))
		}
		out = append(out, list[i])
	}
	for i := range list {
		place(i)
	}
	return out
}
