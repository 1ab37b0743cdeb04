package gitstore

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// bases returns all best common ancestors, by id.
func (s *Store) bases(ctx context.Context, a, b string) ([]string, error) {
	out, err := s.git.Run(ctx, "merge-base", "--all", a, b)
	if err != nil && len(out) == 0 {
		return nil, noBase(err)
	}
	ids := strings.Fields(string(out))
	slices.Sort(ids)
	return ids, nil
}

// virtualBase merges several bases into one, in the order of their ids, so that
// every clone gets the same.
func (s *Store) virtualBase(ctx context.Context, bases []string) (*sage.Checkpoint, error) {
	if len(bases) == 0 {
		return nil, nil
	}
	virtual, err := s.thought(bases[0])
	for _, id := range bases[1:] {
		if err != nil {
			return nil, err
		}
		var next *sage.Checkpoint
		if next, err = s.thought(id); err != nil {
			return nil, err
		}
		older, e := s.bases(ctx, bases[0], id)
		if e != nil {
			return nil, e
		}
		var root *sage.Checkpoint
		if len(older) > 0 {
			if root, err = s.thought(older[0]); err != nil {
				return nil, err
			}
		}
		virtual = sage.Merge(root, virtual, next)
		virtual.ID = bases[0]
	}
	return virtual, err
}

// thought is the checkpoint at a commit, or the one that a tombstone follows, to
// make another of it.
func (s *Store) thought(id string) (*sage.Checkpoint, error) {
	at, err := s.skipTombstones(id)
	if err == nil {
		err = s.understood(at)
	}
	if err != nil {
		return nil, err
	}
	return s.load(at)
}
