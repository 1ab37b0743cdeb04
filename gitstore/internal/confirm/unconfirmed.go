package confirm

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Unconfirmed lists the checkpoints for which nobody here stands, newest first: those that
// came from elsewhere, and those that rules took out of a conversation. A merge that was
// settled since, or that only closed lines end with, is left out if it says nothing of its
// own: each checkpoint that it was made of is listed, or somebody here stands for it. It reads
// the commit index, and of history only what is new and the merges.
func (co *Confirmer) Unconfirmed(ctx context.Context) (ids []string, err error) {
	snap, list, err := co.unconfirmed(ctx)
	if err != nil {
		return nil, err
	}
	var merges []string
	for _, n := range list {
		if len(n.Parents) > 1 {
			merges = append(merges, n.ID)
		}
	}
	silent := map[string]bool{}
	if len(merges) > 0 {
		open, err := co.open(ctx, snap)
		if err != nil {
			return nil, err
		}
		silent = co.silent(ctx, snap, slices.DeleteFunc(merges, func(id string) bool { return open[id] }))
	}
	for _, n := range list {
		if !n.Tombstone && !silent[n.ID] {
			ids = append(ids, n.ID)
		}
	}
	return ids, nil
}

// mostRemade is how many settled merges are made again to see what they say, the newest:
// a millisecond each. Older ones are listed.
const mostRemade = 100

// silent are those of some merges that need synthesis and say nothing of their own.
func (co *Confirmer) silent(ctx context.Context, snap *commits.Snapshot, merges []string) map[string]bool {
	out, of := map[string]bool{}, co.commits.CommitRecords(merges)
	merges = slices.DeleteFunc(merges, func(id string) bool { return of[id].Thesis != sage.NeedsSynthesis })
	for _, id := range merges[:min(len(merges), mostRemade)] {
		made, err := co.MadeOf(ctx, id)
		out[id] = err == nil && !slices.ContainsFunc(made, func(id string) bool {
			return !snap.IsOwn(id) && (snap.Removed[id] || snap.IsRefused(id))
		})
	}
	return out
}

// open are the newest checkpoints of all lines that are not closed, and the merges that nobody
// settled on them.
func (co *Confirmer) open(ctx context.Context, snap *commits.Snapshot) (map[string]bool, error) {
	a, err := co.commits.Index(ctx, snap)
	if err != nil {
		return nil, err
	}
	open := snap.Newest(&a, co.ClosedLines(ctx))
	for _, r := range co.commits.CommitRecords(slices.Collect(maps.Keys(open))) {
		if m := co.commits.Unsettled(ctx, r); m != nil {
			open[m.ID] = true
		}
	}
	return open, nil
}

// unconfirmed lists all commits of lines and forks that count, and those that remove some, for
// which nobody here stands, newest first.
func (co *Confirmer) unconfirmed(ctx context.Context) (*commits.Snapshot, []commits.IndexedCommit, error) {
	snap, err := co.commits.Look(ctx).Get()
	if err != nil {
		return nil, nil, err
	}
	a, err := co.commits.Index(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	var list []commits.IndexedCommit
	for _, n := range a.List {
		if snap.Removed[n.ID] || snap.IsRefused(n.ID) || snap.IsOwn(n.ID) && (!n.ByRules || co.ownership.IsConfirmed(n.ID)) {
			continue
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b commits.IndexedCommit) int { return cmp.Compare(b.Recorded, a.Recorded) })
	return snap, list, nil
}
