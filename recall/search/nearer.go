package search

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose/cut"
)

const (
	// nearBonus is what a checkpoint gains whose code is behind HEAD: what was concluded
	// on the way to what is checked out holds there, and what another branch concluded may
	// not. It was chosen and not measured, since no set of questions has branches: a
	// quarter of what lies between a score that half of all foreign prompts get (.30) and
	// one that a fifth get (.50), so that it decides between answers that are about as
	// good, and makes none of what is not one.
	nearBonus = 0.05
	// nearerMost is how many more than are shown are looked at for that.
	nearerMost = 5
)

// nearer are the first so many of some checkpoints, the best first, where those whose
// commit is HEAD or behind it have a bonus: it counts in their score, and one of those
// that come right behind takes the place of one that has none, if it is better with it.
// Where no branch is followed nothing has one.
func nearer(ctx context.Context, s *gitstore.Store, list []Found, most int) []Found {
	if s.Follow.GitBranch() == "" {
		return cut.First(list, most)
	}
	var commits []string
	for _, f := range list {
		commits = append(commits, f.Code.Commit)
	}
	behind := s.Follow.Ancestors(ctx, slices.DeleteFunc(commits, func(c string) bool { return c == "" }))
	for i := range list {
		if f := &list[i]; behind[f.Code.Commit] {
			f.Near = min(nearBonus, 1-f.Score)
			f.Score, f.Order = f.Score+f.Near, f.Order+nearBonus
		}
	}
	shown := cut.First(list, most)
	for _, f := range list[len(shown):] {
		if f.Near > 0 && len(f.Newer) == 0 {
			replaceFarther(shown, f)
		}
	}
	return shown
}

// replaceFarther puts one in the place of the last that is worse and has no bonus.
func replaceFarther(shown []Found, by Found) {
	for i := range slices.Backward(shown) {
		if shown[i].Near == 0 && shown[i].Order < by.Order {
			shown[i] = by
			return
		}
	}
}
