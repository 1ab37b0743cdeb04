package commits

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A tombstone is a tombstone commit, as the cache keeps it.
type tombstone struct {
	ID       string   `json:"id"`
	Removes  []string `json:"removes,omitempty"`
	Restores []string `json:"restores,omitempty"`
}

// A tombstoneCache is every tombstone reachable from some tips, with what still counts of it.
// It is derived from git and may be deleted at any time; it says what it was derived from.
type tombstoneCache struct {
	Format     int               `json:"format"`
	Tips       map[string]string `json:"tips"`
	Tombstones []tombstone       `json:"graves"`
	Gone       []string          `json:"gone"` // the ids that are removed
}

const tombstoneFormat = 1

// removed returns the ids that a tombstone holds for: one that no restoring
// commit came after, or came beside without either knowing of the other.
//
// Those of this user's own that only others remove are apart: they stay in sight here, as items do.
func (cs *Commits) removed(ctx context.Context, refs []refname.Ref) (gone map[string]bool, elsewhere []string, err error) {
	now := map[string]string{}
	for _, r := range refs {
		if !strings.HasPrefix(r.Name, refname.TagsPrefix) {
			now[r.Name] = r.ID
		}
	}
	y, ok := cs.ReadTombstones()
	if !ok || !maps.Equal(y.Tips, now) {
		y, err = cs.collectTombstones(ctx, y, now)
		if isUnreadable(err) {
			y, err = cs.collectAround(ctx, slices.Collect(maps.Values(now)))
		} else if err == nil {
			cs.KeepTombstones(y)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	own, gone := cs.ownership.Owner(), make(map[string]bool, len(y.Gone))
	of := sync.OnceValue(func() map[string]removal { return cs.removalsOf(y.Tombstones) })
	for _, id := range y.Gone {
		if !own(id) || slices.ContainsFunc(of()[id].removers, func(r string) bool { return own(r) || cs.ownership.IsTaken(r) }) {
			gone[id] = true
		} else {
			elsewhere = append(elsewhere, id)
		}
	}
	return gone, elsewhere, nil
}

// RemovedElsewhere are the checkpoints of this user's own that somebody elsewhere removed, by id.
func (cs *Commits) RemovedElsewhere(ctx context.Context) ([]string, error) {
	snap, err := cs.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	return snap.elsewhere, nil
}

func (cs *Commits) tombstoneFile() string { return cs.repo.Dir("cache", "removed.json") }

func (cs *Commits) ReadTombstones() (y tombstoneCache, ok bool) {
	b, err := fsx.ReadOwn(cs.tombstoneFile())
	if err != nil || json.Unmarshal(b, &y) != nil || y.Format != tombstoneFormat {
		return tombstoneCache{}, false
	}
	return y, true
}

func (cs *Commits) KeepTombstones(y tombstoneCache) {
	y.Format = tombstoneFormat
	if b, err := json.Marshal(y); err == nil {
		_ = fsx.WriteDerived(cs.tombstoneFile(), b, 0o644) // derived: the next reader does it again
	}
}

// collectTombstones brings the cache up to date: what is new since it was made, or all
// of it when history was rewritten or a tip is gone.
func (cs *Commits) collectTombstones(ctx context.Context, y tombstoneCache, now map[string]string) (tombstoneCache, error) {
	news := slices.Collect(maps.Values(now))
	var olds []string
	for _, id := range y.Tips {
		olds = append(olds, "^"+id)
	}
	fresh := tombstoneCache{Tips: now}
	if len(news) == 0 {
		return fresh, nil
	}
	if len(olds) > 0 && cs.reaches(ctx, news, y.Tips) {
		found, err := cs.tombstonesIn(ctx, append(news, olds...))
		if err == nil {
			fresh.Tombstones, fresh.Gone = append(y.Tombstones, found...), y.Gone
			return fresh, cs.judge(ctx, &fresh, found)
		}
	}
	var err error
	if fresh.Tombstones, err = cs.tombstonesIn(ctx, news); err == nil {
		err = cs.judge(ctx, &fresh, fresh.Tombstones)
	}
	return fresh, err
}

// collectAround is dig where some history cannot be read: a list of what can be shows
// rather what a tombstone there removed than nothing, and what was restored where it cannot
// be told which came last. It is not kept.
func (cs *Commits) collectAround(ctx context.Context, tips []string) (y tombstoneCache, err error) {
	found := map[string]tombstone{}
	if err = cs.findTombstones(ctx, tips, found); err != nil {
		return y, err
	}
	y.Tombstones = slices.Collect(maps.Values(found))
	if err = cs.judge(ctx, &y, y.Tombstones); isUnreadable(err) {
		y.Gone, err = cs.unrestored(y.Tombstones), nil
	}
	return y, err
}

// findTombstones collects the tombstones behind those tips whose history can be read.
func (cs *Commits) findTombstones(ctx context.Context, tips []string, found map[string]tombstone) error {
	list, err := cs.tombstonesIn(ctx, tips)
	if isUnreadable(err) && len(tips) > 1 {
		half := len(tips) / 2
		return cmp.Or(cs.findTombstones(ctx, tips[:half], found), cs.findTombstones(ctx, tips[half:], found))
	}
	if err != nil && !isUnreadable(err) {
		return err
	}
	for _, g := range list { // of one that breaks off: those above
		found[g.ID] = g
	}
	return nil
}

// reaches reports whether every old tip is still part of history.
func (cs *Commits) reaches(ctx context.Context, news []string, olds map[string]string) bool {
	args := []string{"rev-list", "--max-count=1", "--end-of-options"}
	args = append(args, slices.Collect(maps.Values(olds))...)
	for _, id := range news {
		args = append(args, "^"+id)
	}
	out, err := cs.repo.Git.Run(ctx, args...)
	return err == nil && len(out) == 0
}

func (cs *Commits) tombstonesIn(ctx context.Context, revs []string) (out []tombstone, err error) {
	args := []string{"log", "-z", "--encoding=none", "--no-show-signature", "--no-notes", "--no-color", "--no-decorate",
		"-F", "--grep=Sage-Kind: tombstone", logFormat + "\x1f%B", "--end-of-options"}
	err = cs.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		if r.Parse(b) && r.Kind == record.KindTombstone {
			out = append(out, tombstone{r.ID, r.Removes, r.Restores})
		}
		return true
	}, append(args, revs...)...)
	return out, LogError(err)
}

// TombstonesName are the ids that tombstones behind some refs remove or restore, as they have them.
func (cs *Commits) TombstonesName(ctx context.Context, refs []refname.Ref) (ids []string, err error) {
	var tips []string
	for _, r := range refs {
		tips = append(tips, r.ID)
	}
	found := map[string]tombstone{}
	err = cs.findTombstones(ctx, tips, found)
	for _, g := range found {
		ids = slices.Concat(ids, g.Removes, g.Restores)
	}
	return ids, err
}

// unrestored are the ids that tombstones remove and none restores.
func (cs *Commits) unrestored(stones []tombstone) (gone []string) {
	for id, b := range cs.removalsOf(stones) {
		if len(b.restorers) == 0 {
			gone = append(gone, id)
		}
	}
	return gone
}

// A removal is the tombstones that name one checkpoint.
type removal struct{ removers, restorers []string }

// judge says what is removed, of all tombstones that a cache has. Of the ids that
// fresh ones name, where they are told apart from those that were judged, the tombstones
// come together in git's history; what was found of the others stands.
//
// An id is removed if some tombstone removes it that every restoring one is older than: is
// an ancestor of. So of those that restore it only the newest count, and of those that
// remove it, too: older ones are left out, and who removes and restores one checkpoint
// again and again has three tombstones to look at, not all of them.
func (cs *Commits) judge(ctx context.Context, y *tombstoneCache, fresh []tombstone) error {
	of := cs.removalsOf(y.Tombstones)
	again := cs.removalsOf(fresh)
	was := map[string]bool{}
	for _, id := range y.Gone {
		was[id] = true
	}
	y.Gone = nil
	var ask []string
	for id := range again {
		if b := of[id]; len(b.removers) > 0 && len(b.restorers) > 0 {
			ask = append(ask, slices.Concat(b.removers, b.restorers)...)
		}
	}
	older, err := cs.ancestry(ctx, ask)
	if err != nil {
		return err
	}
	for id, b := range of {
		_, asked := again[id]
		switch {
		case len(b.removers) == 0:
			continue
		case len(b.restorers) > 0 && !asked:
			if !was[id] {
				continue
			}
		case len(b.restorers) > 0:
			b.removers, b.restorers = latest(b.removers, older), latest(b.restorers, older)
			of[id] = b
			if !slices.ContainsFunc(b.removers, func(r string) bool {
				return !slices.ContainsFunc(b.restorers, func(o string) bool { return !older(o, r) })
			}) {
				continue
			}
		}
		y.Gone = append(y.Gone, id)
	}
	slices.Sort(y.Gone)
	y.Tombstones = cs.counting(y.Tombstones, of)
	return ctx.Err()
}

// removalsOf are the tombstones by what they name.
func (cs *Commits) removalsOf(stones []tombstone) map[string]removal {
	of := map[string]removal{}
	for _, g := range stones {
		for _, id := range g.Removes {
			if id, lost := cs.rewritten.Purged(id); !lost {
				b := of[id]
				b.removers = append(b.removers, g.ID)
				of[id] = b
			}
		}
		for _, id := range g.Restores {
			if id, lost := cs.rewritten.Purged(id); !lost {
				b := of[id]
				b.restorers = append(b.restorers, g.ID)
				of[id] = b
			}
		}
	}
	return of
}

// latest are those of some tombstones that no other of them is newer than.
func latest(ids []string, older func(a, b string) bool) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(a string) bool {
		return slices.ContainsFunc(ids, func(b string) bool { return a != b && older(a, b) })
	})
}

// counting are tombstones without what does not count any more.
func (cs *Commits) counting(stones []tombstone, of map[string]removal) (kept []tombstone) {
	for _, g := range stones {
		drop := func(among func(removal) []string) func(string) bool {
			return func(id string) bool {
				id, lost := cs.rewritten.Purged(id)
				return !lost && !slices.Contains(among(of[id]), g.ID)
			}
		}
		g.Removes = slices.DeleteFunc(slices.Clone(g.Removes), drop(func(b removal) []string { return b.removers }))
		g.Restores = slices.DeleteFunc(slices.Clone(g.Restores), drop(func(b removal) []string { return b.restorers }))
		if len(g.Removes)+len(g.Restores) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// mostBased bounds the commits whose common ancestor is looked for: git does so in pairs.
const mostBased = 16

// ancestry tells which of some commits are ancestors of others of them. Two gits tell of
// all: where they parted, and how each is reached from there; of many, one, from the root.
func (cs *Commits) ancestry(ctx context.Context, ids []string) (older func(a, b string) bool, err error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) == 0 {
		return nil, nil
	}
	ask := ids
	if len(ids) <= mostBased {
		// It fails where they have none in common, or what it reads is not there, which is told below.
		out, _ := cs.repo.Git.Run(ctx, append([]string{"merge-base", "--octopus", "--all"}, ids...)...)
		for _, base := range strings.Fields(string(out)) {
			ask = append(ask[:len(ask):len(ask)], "^"+base)
		}
	}
	list, err := cs.repo.Git.Feed(ctx, []byte(strings.Join(ask, "\n")+"\n"), "rev-list", "--topo-order", "--parents", "--stdin")
	if err != nil {
		return nil, LogError(err)
	}
	above := reachedFrom(ids, string(list))
	return func(a, b string) bool {
		from, shown := above[a]
		i, _ := slices.BinarySearch(ids, b)
		return a != b && (!shown || from.Bit(i) == 1) // what all have in common is not listed
	}, nil
}

// reachedFrom says which of some sorted ids each of them is reached from, a bit for each. A
// commit stands before its parents, so that what it is reached from is known then.
func reachedFrom(ids []string, list string) map[string]*big.Int {
	above, at := map[string]*big.Int{}, map[string]*big.Int{}
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		from := cmp.Or(at[f[0]], new(big.Int))
		delete(at, f[0])
		if i, ok := slices.BinarySearch(ids, f[0]); ok {
			above[f[0]] = from
			from = new(big.Int).SetBit(from, i, 1)
		}
		for _, p := range f[1:] {
			if other := at[p]; other != nil && other != from {
				at[p] = new(big.Int).Or(other, from)
			} else {
				at[p] = from
			}
		}
	}
	return above
}
