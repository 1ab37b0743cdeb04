package commits

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// IsAncestor reports whether b is a or continues it.
func (cs *Commits) IsAncestor(ctx context.Context, a, b string) bool {
	if met, whole := cs.Near([]string{b}, map[string]bool{a: true}); met[a] || whole {
		return met[a]
	}
	_, err := cs.repo.Git.Run(ctx, "merge-base", "--is-ancestor", a, b)
	return err == nil
}

// mostNear is how many commits are read in place of asking git: what one saves between two syncs.
// One takes 0.05 ms, a git 3.
const mostNear = 50

// Near looks behind tips for some ids, without a git: as far as commits lie loose and are few. It
// says which it met, and whether it saw all there is in front of them.
func (cs *Commits) Near(tips []string, ends map[string]bool) (met map[string]bool, whole bool) {
	met = map[string]bool{}
	if cs.repo.Shallow().Depth() != "" { // where commits have fewer parents than they say
		return met, false
	}
	seen, whole := map[string]bool{}, true
	for todo := append([]string(nil), tips...); len(todo) > 0; todo = todo[1:] {
		id := todo[0]
		switch {
		case ends[id]:
			met[id] = true
			continue
		case seen[id]:
			continue
		case len(seen) == mostNear:
			return met, false
		}
		seen[id] = true
		o, ok, err := cs.repo.LooseAt(id)
		if !ok || err != nil || o.Type != "commit" {
			whole = false
			continue
		}
		var r record.Record
		r.ParseCommit(o.Data)
		todo = append(todo, r.Parents...)
	}
	return met, whole
}
