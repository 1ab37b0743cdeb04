package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// fewLoose is up to how many loose objects of conversations are left as they are.
const fewLoose = 500

// packConversations packs what is loose among the conversations, and makes one pack of
// many. Nothing is removed but what a pack holds that was written before.
func (s *Store) packConversations(ctx context.Context) error {
	if _, err := fsx.Lstat(s.privateDir("HEAD")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	done, err := s.lockPrivate(ctx)
	if err != nil {
		return err
	}
	defer done()
	objects := s.privateObjects(s.privateDir())
	ids, err := objects.IDs()
	if err != nil || len(ids) < fewLoose {
		return err
	}
	if err := s.packLoose(ctx, ids); err != nil {
		return fmt.Errorf("pack conversations: %w", err)
	}
	return nil
}

func (s *Store) packLoose(ctx context.Context, ids []string) error {
	old, err := packsIn(s.privateDir())
	if err != nil {
		return err
	}
	if len(old) < maxPacks {
		old = nil
	}
	all := map[string]bool{}
	for _, id := range ids {
		all[id] = true
	}
	for _, file := range old {
		x, err := packs.Read(file+".idx", s.idSize())
		if err != nil {
			return err
		}
		for i := range x.Len() {
			all[x.ID(i)] = true
		}
	}
	made, err := s.packInto(ctx, s.privateDir(), slices.Sorted(maps.Keys(all)))
	if err != nil {
		return err
	}
	for _, file := range old {
		if !slices.Contains(made, file) {
			if err := removePack(file); err != nil {
				return err
			}
		}
	}
	_, err = s.privateGit().Run(ctx, "prune-packed", "--quiet")
	return err
}
