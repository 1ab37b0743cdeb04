package converge

import (
	"slices"
	"strings"
)

// A Graph is the history that tips stand for.
type Graph interface {
	// Parents returns the parents of a commit, and whether it is a join.
	Parents(id string) (parents []string, join bool, err error)
	// Independent returns those of ids that are no ancestors of others, each once,
	// sorted.
	Independent(ids []string) ([]string, error)
}

// Heads are the newest commits of people that the tips hold, sorted: what is left
// when joins are seen through.
func Heads(g Graph, tips ...string) ([]string, error) {
	var leaves []string
	seen := map[string]bool{}
	for todo := slices.Clone(tips); len(todo) > 0; {
		id := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; seen[id] {
			continue
		}
		seen[id] = true
		parents, join, err := g.Parents(id)
		switch {
		case err != nil:
			return nil, err
		case join:
			todo = append(todo, parents...)
		default:
			leaves = append(leaves, id)
		}
	}
	return g.Independent(leaves)
}

// A ranking remembers what it found out about the commits of a graph.
type ranking struct {
	Graph
	heads map[string]string
	ranks map[string][]string
}

func newRanking(g Graph) *ranking {
	return &ranking{g, map[string]string{}, map[string][]string{}}
}

// headsOf are the heads of one tip, as one word.
func (r *ranking) headsOf(id string) (string, error) {
	if h, ok := r.heads[id]; ok {
		return h, nil
	}
	list, err := Heads(r, id)
	if err != nil {
		return "", err
	}
	r.heads[id] = strings.Join(list, " ")
	return r.heads[id], nil
}

// rank is the place of a tip among all that have the same heads.
func (r *ranking) rank(id string) ([]string, error) {
	if list, ok := r.ranks[id]; ok {
		return list, nil
	}
	var best []string
	parents, join, err := r.Parents(id)
	if err != nil {
		return nil, err
	}
	if !join {
		parents = nil
	}
	heads, err := r.headsOf(id)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		h, err := r.headsOf(p)
		if err != nil {
			return nil, err
		}
		if h != heads {
			continue
		}
		list, err := r.rank(p)
		if err != nil {
			return nil, err
		}
		if slices.Compare(list, best) > 0 {
			best = list
		}
	}
	r.ranks[id] = append(slices.Clone(best), id)
	return r.ranks[id], nil
}

func (r *ranking) greatest(tips []string) (best string, err error) {
	var top []string
	for _, t := range tips {
		list, err := r.rank(t)
		if err != nil {
			return "", err
		}
		if best == "" || slices.Compare(list, top) > 0 {
			best, top = t, list
		}
	}
	return best, nil
}
