package activity

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A Sighting is a commit as the index has it, and since when it is here.
type Sighting struct {
	ID       string
	Author   identity.Person
	At       time.Time // when it was committed, or when it came here if that was before
	Line     string    // as of a [commits.Spot]
	Mine     bool      // this user made it, see [Observer.mine]
	Recovery bool
}

// lately lists the checkpoints that are no older than from. Moves tell when something came
// here: a clock that runs ahead elsewhere makes nothing newer than that.
func (o *Observer) lately(ctx context.Context, from time.Time, moves []journal.JournalLine) ([]Sighting, error) {
	var seen []time.Time
	return o.sightings(ctx, func(a *commits.CommitIndex, i int) (time.Time, bool) {
		if a.List[i].Recorded < from.Unix() {
			return from, false
		}
		if seen == nil {
			seen = seenSince(a, moves, o.repo.Options.Now())
		}
		at := earlier(time.Unix(a.List[i].Recorded, 0), seen[i])
		return at, at.Unix() >= from.Unix()
	})
}

// Own lists the checkpoints that this user made here, the newest first and at most so many.
func (o *Observer) Own(ctx context.Context, most int) ([]Sighting, error) {
	mine := o.mine(ctx)
	list, err := o.sightings(ctx, func(a *commits.CommitIndex, i int) (time.Time, bool) {
		return time.Unix(a.List[i].Recorded, 0), !a.List[i].Recovery && mine(a.List[i].ID, a.Author(i))
	})
	return list[:min(most, len(list))], err
}

// broughtBy lists the checkpoints that came here by the last moves.
func (o *Observer) broughtBy(ctx context.Context, moves []journal.JournalLine) ([]Sighting, error) {
	snap, err := o.commits.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	var came []int
	return o.sightings(ctx, func(a *commits.CommitIndex, i int) (time.Time, bool) {
		if came == nil {
			came = cameBy(a, moves, snap.Refs)
		}
		return time.Unix(a.List[i].Recorded, 0), came[i] == isNew
	})
}

// mine tells what this user made: here, or elsewhere in the name that they have here, if they
// stand for it. A purge makes anew what they made, and they stand for that.
func (o *Observer) mine(ctx context.Context) func(id string, by identity.Person) bool {
	made, own := o.ownership.Maker(), sync.OnceValue(o.ownership.Owner)
	me := sync.OnceValue(func() string {
		p, _ := o.repo.PersonOf(ctx, "author")
		return p.Mail
	})
	return func(id string, by identity.Person) bool { return made(id) || own()(id) && by.Mail == me() }
}

// sightings lists the checkpoints that when wants, with the times that it says, newest first.
// Joins, which nobody thought, are left out.
func (o *Observer) sightings(ctx context.Context, when func(a *commits.CommitIndex, i int) (time.Time, bool)) (list []Sighting, err error) {
	mine, of := o.mine(ctx), map[string]int{}
	var rank []int // of each commit, those that continue it before it
	err = o.commits.EachSpot(ctx, commits.Query{All: true}, nil, func(a *commits.CommitIndex, i int, s commits.Spot) {
		n := &a.List[i]
		if len(n.Parents) > 1 && a.Author(i) == identity.Nobody {
			return
		}
		at, ok := when(a, i)
		if !ok {
			return
		}
		if rank == nil {
			rank = make([]int, len(a.List))
			for place, i := range a.ChildrenFirst() {
				rank[i] = place
			}
		}
		list, of[n.ID] = append(list, Sighting{n.ID, a.Author(i), at, s.Line, mine(n.ID, a.Author(i)), n.Recovery}), rank[i]
	})
	slices.SortStableFunc(list, func(a, b Sighting) int { return cmp.Or(b.At.Compare(a.At), of[a.ID]-of[b.ID]) })
	return list, err
}

// seenSince tells of each commit since when it is here at the latest: since the first move to
// something that holds it. Of what no move tells of, that is now.
func seenSince(a *commits.CommitIndex, moves []journal.JournalLine, now time.Time) []time.Time {
	moves = slices.Clone(moves)
	slices.SortStableFunc(moves, func(a, b journal.JournalLine) int { return a.At.Compare(b.At) })
	ids := make([]string, len(moves))
	for i, m := range moves {
		ids[i] = m.New
	}
	at, first := a.OrdinalsOf(ids, nil, nil), make([]int, len(a.List))
	for i, m := range moves {
		if tip, ok := at[m.New]; ok && !m.Begun {
			a.Behind(tip, i+1, first)
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

// What [cameBy] says of a commit.
const wasHere, isNew = 1, 2

// cameBy tells what the last moves brought: what they lead to, and neither where they began
// nor another ref holds.
func cameBy(a *commits.CommitIndex, moves []journal.JournalLine, refs []refname.Ref) []int {
	var before, after []string
	moved := map[string]bool{}
	for _, m := range moves {
		if after = append(after, m.New); !moved[m.Ref] {
			moved[m.Ref], before = true, append(before, m.Old)
		}
	}
	for _, r := range refs {
		if !moved[r.Name] {
			before = append(before, r.ID)
		}
	}
	at, came := a.OrdinalsOf(before, after, nil), make([]int, len(a.List))
	for mark, ids := range [][]string{wasHere: before, isNew: after} {
		for _, id := range ids {
			if i, ok := at[id]; ok {
				a.Behind(i, mark, came)
			}
		}
	}
	return came
}
