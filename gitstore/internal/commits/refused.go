package commits

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// What a user refused of others, lists leave out for them: it stays in history, and its line
// goes on from what is before it. Where refusals are kept is not known here, see [Commits.Refused].

// IsRefused reports whether this user refused a commit, or something that a join brought in.
// Where all is their own nobody asks what they refused: that takes a git of their own store.
func (snap *Snapshot) IsRefused(id string) bool {
	return !snap.IsOwn(id) && snap.refused()[id]
}

// Refusals tells which commits this user refused, for who found some otherwise than by a list.
func (cs *Commits) Refusals(ctx context.Context) (isRefused func(id string) bool, err error) {
	snap, err := cs.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	return snap.IsRefused, nil
}

// mostJoins is how many joins behind which something refused lies are read, the newest: 50 µs
// each. Older ones count as refused.
const mostJoins = 200

// refused are the commits that this user refused, and the joins that hold what those say: a merge
// of what was fetched makes them, of its parents and of what both leave out of what was before.
func (cs *Commits) refused(ctx context.Context, snap *Snapshot) map[string]bool {
	if cs.Refused == nil {
		return nil
	}
	asked := cs.Refused(ctx)
	if len(asked) == 0 {
		return nil
	}
	out := make(map[string]bool, len(asked))
	for id := range asked {
		out[cs.rewritten.StandIn(id)] = true
	}
	a, err := cs.Index(ctx, snap)
	if err != nil { // who asked reads the same history, and says so
		return out
	}
	children := make([][]int, len(a.List))
	var todo []int
	for i := range a.List {
		if out[a.List[i].ID] && !snap.IsOwn(a.List[i].ID) {
			todo = append(todo, i)
		}
		for _, p := range a.List[i].Parents {
			children[p] = append(children[p], i)
		}
	}
	said := cs.saidFirst(&a, todo)
	var joins []string
	for seen := map[int]bool{}; len(todo) > 0; todo = todo[1:] {
		for _, i := range children[todo[0]] {
			if seen[i] {
				continue
			}
			seen[i], todo = true, append(todo, i)
			switch n := &a.List[i]; {
			case n.Join && out[a.List[todo[0]].ID]:
				out[n.ID] = true
			case n.Join:
				joins = append(joins, n.ID)
			}
		}
	}
	for i, id := range joins {
		if c, err := cs.AsStored(id); len(joins)-i > mostJoins || err != nil || slices.ContainsFunc(statements(c), func(s string) bool { return said[s] }) {
			out[id] = true
		}
	}
	return out
}

// saidFirst are the statements of some commits that are not in what they continue.
func (cs *Commits) saidFirst(a *CommitIndex, list []int) map[string]bool {
	out := map[string]bool{}
	for _, i := range list {
		c, err := cs.AsStored(a.List[i].ID)
		if err != nil { // it says nothing here
			continue
		}
		var before []string
		for _, p := range a.List[i].Parents {
			if older, err := cs.AsStored(a.List[p].ID); err == nil {
				before = append(before, statements(older)...)
			}
		}
		for _, s := range statements(c) {
			if !slices.Contains(before, s) {
				out[s] = true
			}
		}
	}
	return out
}

// statements are what a checkpoint says, piece by piece as a merge takes it.
func statements(c *sage.Checkpoint) []string {
	out := slices.Concat([]string{c.Thesis, c.CoreQuestion, c.ReasoningTrace}, c.KeyEvidence, c.OpenQuestions)
	for _, s := range c.Sources {
		out = append(out, fmt.Sprintf("%+v", s))
	}
	for _, t := range c.ComponentTheses {
		out = append(out, t.Thesis)
	}
	for _, u := range c.UniqueContributions {
		out = append(out, fmt.Sprintf("%+v", u))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" || s == sage.NeedsSynthesis })
}
