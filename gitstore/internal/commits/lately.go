package commits

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A Sighting is a checkpoint as the commit index has it, and since when it is here.
type Sighting struct {
	ID       string
	Author   identity.Person
	At       time.Time // when it was committed, or when it came here if that was before
	Line     string    // as of a [Spot]
	Mine     bool      // this user made it, here
	Recovery bool
}

// Lately lists the checkpoints that q chooses as [Commits.Spots] does and that are no older
// than from, newest first. Moves tell when something came here: a clock that runs ahead
// elsewhere makes nothing newer than that. Joins, which nobody thought, are left out.
func (cs *Commits) Lately(ctx context.Context, q Query, from time.Time, moves []journal.JournalLine) (list []Sighting, err error) {
	made := cs.ownership.Maker()
	var seen []time.Time
	var rank []int // of each commit, those that continue it before it
	of := map[string]int{}
	err = cs.eachSpot(ctx, q, nil, func(a *commitIndex, i int, s Spot) {
		n := &a.List[i]
		if n.Recorded < from.Unix() || len(n.parents) > 1 && a.people[n.person] == identity.Nobody {
			return
		}
		if seen == nil {
			seen, rank = a.seenSince(moves, cs.repo.Options.Now()), make([]int, len(a.List))
			for at, i := range a.childrenFirst() {
				rank[i] = at
			}
		}
		at := earlier(time.Unix(n.Recorded, 0), seen[i])
		if at.Unix() >= from.Unix() {
			list, of[n.ID] = append(list, Sighting{n.ID, a.people[n.person], at, s.Line, made(n.ID), n.recovery}), rank[i]
		}
	})
	slices.SortStableFunc(list, func(a, b Sighting) int { return cmp.Or(b.At.Compare(a.At), of[a.ID]-of[b.ID]) })
	return list, err
}

// SeenSince tells of each commit of a list when it came here, as [Commits.Lately] does.
func SeenSince(list []*record.Record, moves []journal.JournalLine, now time.Time) []time.Time {
	var a commitIndex
	a.add(list)
	return a.seenSince(moves, now)
}

// seenSince tells of each commit since when it is here at the latest: since the first move to
// something that holds it. Of what no move tells of, that is now.
func (a *commitIndex) seenSince(moves []journal.JournalLine, now time.Time) []time.Time {
	moves = slices.Clone(moves)
	slices.SortStableFunc(moves, func(a, b journal.JournalLine) int { return a.At.Compare(b.At) })
	ids := make([]string, len(moves))
	for i, m := range moves {
		ids[i] = m.New
	}
	at, first := a.ordinalsOf(ids, nil, nil), make([]int, len(a.List))
	for i, m := range moves {
		if tip, ok := at[m.New]; ok && !m.Begun {
			a.behind(tip, i+1, first)
		}
	}
	out := make([]time.Time, len(a.List))
	for i := range out {
		if out[i] = now; first[i] > 0 {
			out[i] = earlier(now, moves[first[i]-1].At)
		}
	}
	return out
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
