package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/meet"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// syncTrigger marks a join: a merge that [Store.MergeFetched] made, and so a
// function of its parents. Nobody can give it to a checkpoint of their own.
const syncTrigger sage.Trigger = "sync"

// isJoin reports whether a commit is a join.
func (r *Record) isJoin() bool {
	return len(r.Parents) > 1 && r.Trigger == syncTrigger && (r.Kind == KindMerge || r.Kind == kindKnowledge)
}

// kindKnowledge is what a commit of the knowledge tree is.
const kindKnowledge Kind = "knowledge"

// A commitGraph answers questions about commits and remembers the answers. It is the
// graph that [meet] decides on.
type commitGraph struct {
	s           *Store
	ctx         context.Context
	records     map[string]Record
	independent map[string][]string
}

func (s *Store) commitGraph(ctx context.Context) *commitGraph {
	return &commitGraph{s, ctx, map[string]Record{}, map[string][]string{}}
}

func (h *commitGraph) record(id string) (Record, error) {
	if r, ok := h.records[id]; ok {
		return r, nil
	}
	r, err := h.s.commitRecord(id)
	if err == nil {
		h.records[id] = r
	}
	return r, err
}

// Parents returns the parents of a commit, and whether it is a join.
func (h *commitGraph) Parents(id string) ([]string, bool, error) {
	r, err := h.record(id)
	return r.Parents, r.isJoin(), err
}

// Independent returns those of ids that are no ancestors of others, each once,
// sorted.
func (h *commitGraph) Independent(ids []string) ([]string, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) < 2 {
		return ids, nil
	}
	if len(ids) == 2 {
		if _, ok := h.parted(ids); ok {
			return ids, nil
		}
		for i, id := range ids {
			if h.near(ids[1-i], id) {
				return []string{id}, nil
			}
		}
	}
	key := strings.Join(ids, " ")
	if out, ok := h.independent[key]; ok {
		return out, nil
	}
	b, err := h.s.git.Run(h.ctx, append([]string{"merge-base", "--independent"}, ids...)...)
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

// near reports whether old is one of the newest ancestors of id. That it is not
// says nothing.
func (h *commitGraph) near(old, id string) bool {
	todo, seen := []string{id}, map[string]bool{id: true}
	for n := 0; n < len(todo) && n < maxNear; n++ {
		if todo[n] == old {
			return true
		}
		r, err := h.record(todo[n])
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
func (h *commitGraph) parted(ids []string) (base string, ok bool) {
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
func (h *commitGraph) straight(id string) (chain []string) {
	for len(chain) < maxNear {
		r, err := h.record(id)
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

// sameHeads reports whether two commits differ in joins only: nobody thought
// anything between them.
func (s *Store) sameHeads(a, b string) bool {
	h := s.commitGraph(context.Background())
	x, err := meet.Heads(h, a)
	y, err2 := meet.Heads(h, b)
	return err == nil && err2 == nil && slices.Equal(x, y)
}

// contains reports whether old is id or an ancestor of it.
func (h *commitGraph) contains(id, old string) bool {
	if id == "" || old == "" {
		return false
	}
	both, err := h.Independent([]string{id, old})
	return err == nil && len(both) == 1 && both[0] == id
}

// bases are the best common ancestors of all ids, sorted.
func (h *commitGraph) bases(ids []string) ([]string, error) {
	if base, ok := h.parted(ids); ok {
		return []string{base}, nil
	}
	out, err := h.s.git.Run(h.ctx, append([]string{"merge-base", "--octopus", "--all"}, ids...)...)
	if err != nil && len(out) == 0 {
		return nil, noBase(err)
	}
	return h.Independent(strings.Fields(string(out)))
}
