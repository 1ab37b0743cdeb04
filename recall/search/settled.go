package search

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/lists"
)

// Settled tells which of some checkpoints had a thesis that another one of them, a merge with a
// thesis of its own, brought together with another: the id of the merge by theirs. What somebody
// elsewhere merged, and nobody here stands for, settles nothing of one's own.
func Settled(ctx context.Context, s *gitstore.Store, ids []string) map[string]string {
	by := map[string]string{}
	for _, id := range ids {
		m, err := s.Commits.CommitRecord(id)
		if err != nil || m.IsJoin() || s.Commits.Unsettled(ctx, m) != nil { // one that cannot be read says nothing
			continue
		}
		for _, side := range sidesOf(ctx, s, m) {
			if slices.Contains(ids, side) && (m.Own || !s.Ownership.IsOwn(side)) {
				by[side] = id
			}
		}
	}
	return by
}

// sidesOf are the sides of a merge, or of the unsettled one that a checkpoint settles, and it.
func sidesOf(ctx context.Context, s *gitstore.Store, m gitstore.Record) (sides []string) {
	if len(m.Parents) == 1 {
		before, err := s.Commits.CommitRecord(m.Parents[0])
		if err != nil {
			return nil
		}
		open := s.Commits.Unsettled(ctx, before)
		if open == nil {
			return nil
		}
		m, sides = *open, []string{open.ID}
	}
	for _, p := range m.Parents {
		if p, err := s.Commits.SkipTombstones(p); err == nil {
			sides = append(sides, p)
		}
	}
	return sides
}

// belowSynthesis puts what a merge settled below its synthesis, and says so.
func belowSynthesis(ctx context.Context, s *gitstore.Store, list []Found) []Found {
	ids := lists.Map(list, func(f Found) string { return f.ID })
	by := Settled(ctx, s, ids)
	for i := range list {
		list[i].Later = by[ids[i]]
	}
	return lists.Behind(list, func(i int) []int {
		if at := slices.Index(ids, list[i].Later); at >= 0 {
			return []int{at}
		}
		return nil
	})
}
