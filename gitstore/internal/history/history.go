package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A CommitGraph answers questions about commits and remembers the answers. It is the
// graph that [converge] decides on.
type CommitGraph struct {
	s           *History
	ctx         context.Context
	records     map[string]record.Record
	independent map[string][]string
}

func (hist *History) CommitGraph(ctx context.Context) *CommitGraph {
	return &CommitGraph{hist, ctx, map[string]record.Record{}, map[string][]string{}}
}

func (h *CommitGraph) Record(id string) (record.Record, error) {
	if r, ok := h.records[id]; ok {
		return r, nil
	}
	r, err := h.s.commits.CommitRecord(id)
	if err == nil {
		h.records[id] = r
	}
	return r, err
}

// Parents returns the parents of a commit, and whether it is a join.
func (h *CommitGraph) Parents(id string) ([]string, bool, error) {
	r, err := h.Record(id)
	return r.Parents, r.IsJoin(), err
}

// Independent returns those of ids that are no ancestors of others, each once,
// sorted.
func (h *CommitGraph) Independent(ids []string) ([]string, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) < 2 {
		return ids, nil
	}
	if len(ids) == 2 {
		if _, ok := h.parted(ids); ok {
			return ids, nil
		}
		for i, id := range ids {
			if h.Near(ids[1-i], id) {
				return []string{id}, nil
			}
		}
	}
	key := strings.Join(ids, " ")
	if out, ok := h.independent[key]; ok {
		return out, nil
	}
	b, err := h.s.repo.Git.Run(h.ctx, append([]string{"merge-base", "--independent"}, ids...)...)
	if err != nil {
		return nil, fmt.Errorf("find which tips contain others: %w", err)
	}
	out := strings.Fields(string(b))
	slices.Sort(out)
	h.independent[key] = out
	return out, nil
}

// maxNear bounds the commits that are looked at here before git is asked: a ref
// that only moved on is mostly a few commits behind, and a process costs as much
// as reading a hundred.
const maxNear = 32

// Near reports whether old is one of the newest ancestors of id. That it is not
// says nothing.
func (h *CommitGraph) Near(old, id string) bool {
	todo, seen := []string{id}, map[string]bool{id: true}
	for n := 0; n < len(todo) && n < maxNear; n++ {
		if todo[n] == old {
			return true
		}
		r, err := h.Record(todo[n])
		if err != nil {
			continue
		}
		for _, p := range r.Parents {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return false
}

// parted returns where two commits parted, if from there to each of them one commit
// follows the other, without a merge, and neither is the other's ancestor. Then all
// that both continue lies there or behind it. That it is not known says nothing.
func (h *CommitGraph) parted(ids []string) (base string, ok bool) {
	if len(ids) != 2 || ids[0] == ids[1] {
		return "", false
	}
	a, b := h.straight(ids[0]), h.straight(ids[1])
	for i, id := range b {
		if j := slices.Index(a, id); j >= 0 {
			return id, i > 0 && j > 0
		}
	}
	return "", false
}

// straight is a commit and what it continues, up to the first of several parents or
// none.
func (h *CommitGraph) straight(id string) (chain []string) {
	for len(chain) < maxNear {
		r, err := h.Record(id)
		if err != nil {
			break
		}
		if chain = append(chain, id); len(r.Parents) != 1 {
			break
		}
		id = r.Parents[0]
	}
	return chain
}

// SameHeads reports whether two commits differ in joins only: nobody thought
// anything between them.
func (hist *History) SameHeads(a, b string) bool {
	h := hist.CommitGraph(context.Background())
	x, err := converge.Heads(h, a)
	y, err2 := converge.Heads(h, b)
	return err == nil && err2 == nil && slices.Equal(x, y)
}

// Contains reports whether old is id or an ancestor of it.
func (h *CommitGraph) Contains(id, old string) bool {
	if id == "" || old == "" {
		return false
	}
	both, err := h.Independent([]string{id, old})
	return err == nil && len(both) == 1 && both[0] == id
}

// Bases are the best common ancestors of all ids, sorted.
func (h *CommitGraph) Bases(ids []string) ([]string, error) {
	if base, ok := h.parted(ids); ok {
		return []string{base}, nil
	}
	out, err := h.s.repo.Git.Run(h.ctx, append([]string{"merge-base", "--octopus", "--all"}, ids...)...)
	if err != nil && len(out) == 0 {
		return nil, ledger.NoBase(err)
	}
	return h.Independent(strings.Fields(string(out)))
}

// mostCounted bounds the commits that are read to count them.
const mostCounted = 1000

// Between counts the checkpoints that id continues and old does not; "" is none. It asks no git:
// of histories too long to be read for it, ok is false.
func (h *CommitGraph) Between(old, id string) (n int, ok bool) {
	new, root, ok := h.behind(id, map[string]bool{old: true})
	if ok && old != "" && root { // a merge leads past old
		var known map[string]bool
		known, _, ok = h.behind(old, nil)
		new, _, _ = h.behind(id, known)
	}
	for id := range new {
		if r := h.records[id]; r.Kind != record.KindTombstone && !r.IsJoin() {
			n++
		}
	}
	return n, ok
}

// behind are the commits from id on without those that are left out, and whether one of them
// continues none. ok is false if they are too many, or one cannot be read.
func (h *CommitGraph) behind(id string, without map[string]bool) (all map[string]bool, root, ok bool) {
	all = map[string]bool{}
	for todo := []string{id}; len(todo) > 0; {
		at := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; all[at] || without[at] {
			continue
		}
		r, err := h.Record(at)
		if err != nil || len(all) == mostCounted {
			return all, root, false
		}
		all[at], root = true, root || len(r.Parents) == 0
		todo = append(todo, r.Parents...)
	}
	return all, root, true
}
