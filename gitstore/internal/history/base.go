package history

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// Bases returns all best common ancestors, by id.
func (hist *History) Bases(ctx context.Context, a, b string) ([]string, error) {
	out, err := hist.repo.Git.Run(ctx, "merge-base", "--all", a, b)
	if err != nil && len(out) == 0 {
		return nil, ledger.NoBase(err)
	}
	ids := strings.Fields(string(out))
	slices.Sort(ids)
	return ids, nil
}

// VirtualBase merges several bases into one, in the order of their ids, so that
// every clone gets the same.
func (hist *History) VirtualBase(ctx context.Context, bases []string) (*sage.Checkpoint, error) {
	if len(bases) == 0 {
		return nil, nil
	}
	virtual, err := hist.Thought(bases[0])
	for _, id := range bases[1:] {
		if err != nil {
			return nil, err
		}
		var next *sage.Checkpoint
		if next, err = hist.Thought(id); err != nil {
			return nil, err
		}
		older, e := hist.Bases(ctx, bases[0], id)
		if e != nil {
			return nil, e
		}
		var root *sage.Checkpoint
		if len(older) > 0 {
			if root, err = hist.Thought(older[0]); err != nil {
				return nil, err
			}
		}
		virtual = merge.Checkpoints(root, virtual, next)
		virtual.ID = bases[0]
	}
	return virtual, err
}

// Thought is the checkpoint at a commit, or the one that a tombstone follows, to
// make another of it.
func (hist *History) Thought(id string) (*sage.Checkpoint, error) {
	at, err := hist.commits.SkipTombstones(id)
	if err == nil {
		err = hist.understood(at)
	}
	if err != nil {
		return nil, err
	}
	return hist.commits.AsStored(at)
}
