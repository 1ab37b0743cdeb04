package exchange

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// A joinGraph makes joins of what came together in several clones.
type joinGraph struct {
	*history.CommitGraph
	s    *Exchange
	read []string // the checkpoints that its joins were made of
}

func (e *Exchange) joinGraph(ctx context.Context) *joinGraph {
	return &joinGraph{CommitGraph: e.history.CommitGraph(ctx), s: e}
}

// A join is a merge commit that nobody thought: what it holds is a function of
// the heads that are merged, the newest commits of people, and so the same
// whichever of them came together first. Its parents tell how they came together.
//
// It is not redacted: what it is made of lies in git already, and what one clone
// takes out another could not make again.
func (h *joinGraph) join(parents []string) (joint, error) {
	heads, err := converge.Heads(h, parents...)
	if err != nil {
		return joint{}, err
	}
	c, err := h.joined(heads)
	if err != nil {
		return joint{}, err
	}
	blob := h.s.repo.Objects.New("blob", codec.Marshal(c))
	tree := h.s.repo.Objects.New("tree", gittree.Encode(gittree.Entry{Mode: gittree.ModeFile, Name: "checkpoint.md", ID: blob.ID}))
	o, err := h.joinCommit(tree.ID, parents, c.Time, record.Message(c, record.KindMerge, sage.Describe(c, 0)))
	return joint{commit: o, objects: []loose.Object{blob, tree, o}, unsettled: c.Thesis == sage.NeedsSynthesis}, err
}

// joinCommit is by nobody, of the date of its latest parent.
func (h *joinGraph) joinCommit(tree string, parents []string, thought time.Time, message string) (loose.Object, error) {
	parents = slices.Sorted(slices.Values(parents))
	var latest time.Time
	for _, p := range parents {
		r, err := h.Record(p)
		if err != nil {
			return loose.Object{}, err
		}
		latest = record.Later(latest, r.Recorded)
	}
	if thought.IsZero() {
		thought = latest
	}
	c := record.Commit{Tree: tree, Parents: parents, Message: message, Author: identity.Nobody.Stamp(thought.UTC()), Committer: identity.Nobody.Stamp(latest.UTC())}
	return h.s.repo.Objects.New("commit", c.Encode()), nil
}

// joined merges the thoughts at heads over what they have in common, one after
// another in the order of their ids. For a given base the result is the same in
// any order, see [merge.Checkpoints].
func (h *joinGraph) joined(heads []string) (*sage.Checkpoint, error) {
	ids, err := h.thoughts(heads)
	if err != nil {
		return nil, err
	}
	var sides []*sage.Checkpoint
	for _, id := range ids {
		c, err := h.stored(id)
		if err != nil {
			return nil, err
		}
		sides = append(sides, c)
	}
	c := &sage.Checkpoint{}
	if len(sides) > 0 {
		base, err := h.commonGround(ids)
		if err != nil {
			return nil, err
		}
		c = MergeSides(base, sides)
	}
	c.Trigger, c.MergeSources = record.SyncTrigger, ids
	for _, side := range sides {
		c.Time = record.Later(c.Time, side.Time)
	}
	if len(sides) == 1 {
		c.Description = sides[0].Description
	}
	codec.Measure(c)
	return c, nil
}

// MergeSides merges at least one side.
func MergeSides(base *sage.Checkpoint, sides []*sage.Checkpoint) *sage.Checkpoint {
	for _, side := range sides {
		write.Unsaid(side, base)
	}
	m := merge.Checkpoints(base, sides[0], sides[0])
	m.ID = sides[0].ID
	for _, side := range sides[1:] {
		next := merge.Checkpoints(base, m, side)
		next.ID = holder(next, m, side)
		m = next
	}
	m.ID = ""
	return m
}

// holder is who holds the thesis of a merge: the one with the smallest id of those
// that have it on their own. A merge has no id before it is written.
func holder(m, a, b *sage.Checkpoint) (id string) {
	for _, side := range []*sage.Checkpoint{a, b} {
		settled := len(side.ComponentTheses) == 0 || side.Thesis != sage.NeedsSynthesis
		if settled && side.Thesis == m.Thesis && (id == "" || side.ID < id) {
			id = side.ID
		}
	}
	return id
}

// commonGround is the checkpoint that thoughts come from, or nil. Where there are
// several, they are joined like any others, over what they come from.
func (h *joinGraph) commonGround(ids []string) (*sage.Checkpoint, error) {
	if len(ids) < 2 {
		return nil, nil
	}
	bases, err := h.Bases(ids)
	if err != nil {
		return nil, err
	}
	if len(bases) > 1 {
		return h.virtual(bases)
	}
	if bases, err = h.thoughts(bases); err != nil || len(bases) == 0 {
		return nil, err
	}
	return h.stored(bases[0])
}

func (h *joinGraph) stored(id string) (*sage.Checkpoint, error) {
	h.read = append(h.read, id)
	return h.s.commits.AsStored(id)
}

func (h *joinGraph) virtual(bases []string) (*sage.Checkpoint, error) {
	heads, err := converge.Heads(h, bases...)
	if err != nil {
		return nil, err
	}
	c, err := h.joined(heads)
	if err == nil {
		c.ID = heads[0]
	}
	return c, err
}

// thoughts are the checkpoints at tips: behind tombstones, and behind what those
// remove. A tip whose thought another one continues, or that has none, adds none.
func (h *joinGraph) thoughts(tips []string) ([]string, error) {
	verdicts := verdicts{}
	ids := make([]string, len(tips))
	for i, tip := range tips {
		id, err := h.above(tip, func(r record.Record) { verdicts.hear(i, r) })
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	var out []string
	for _, id := range ids {
		for id != "" && verdicts.removed(id) {
			r, err := h.Record(id)
			if err != nil {
				return nil, err
			}
			if id = ""; len(r.Parents) > 0 {
				if id, err = h.above(r.Parents[0], func(record.Record) {}); err != nil {
					return nil, err
				}
			}
		}
		if id != "" {
			out = append(out, id)
		}
	}
	return h.Independent(out)
}

// above is the newest commit at or behind tip that is no tombstone, "" if there
// is none. Tombstones on the way are seen.
func (h *joinGraph) above(tip string, seen func(record.Record)) (string, error) {
	for {
		r, err := h.Record(tip)
		switch {
		case err != nil:
			return "", err
		case r.Kind != record.KindTombstone:
			return tip, h.readable(r)
		case len(r.Parents) == 0:
			seen(r)
			return "", nil
		}
		seen(r)
		tip = r.Parents[0]
	}
}

func (h *joinGraph) readable(r record.Record) error {
	if r.Kind != record.KindCheckpoint && r.Kind != record.KindMerge {
		return fmt.Errorf("%s is a '%s' of a newer version", record.Short(r.ID), r.Kind)
	}
	return nil
}

// verdicts are what the tombstones at several tips say of an id: at one tip the
// newest counts, among tips who restores.
type verdicts map[string]map[int]bool

func (v verdicts) hear(tip int, r record.Record) {
	for gone, ids := range map[bool][]string{true: r.Removes, false: r.Restores} {
		for _, id := range ids {
			if v[id] == nil {
				v[id] = map[int]bool{}
			}
			if _, said := v[id][tip]; !said {
				v[id][tip] = gone
			}
		}
	}
}

func (v verdicts) removed(id string) bool {
	for _, gone := range v[id] {
		if !gone {
			return false
		}
	}
	return len(v[id]) > 0
}
