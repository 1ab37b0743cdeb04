package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// fewLoose is up to how many loose objects of conversations are left as they are.
const fewLoose = 500

// packConversations packs what is loose among the conversations, and makes one pack of
// many. Nothing is removed but what a pack holds that was written before.
func (t *Transcripts) packConversations(ctx context.Context) error {
	if _, err := fsx.Lstat(t.privateDir("HEAD")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	done, err := t.lockPrivate(ctx)
	if err != nil {
		return err
	}
	defer done()
	objects := t.privateObjects(t.privateDir())
	ids, err := objects.IDs()
	if err != nil || len(ids) < fewLoose {
		return err
	}
	if err := t.packLoose(ctx, ids); err != nil {
		return fmt.Errorf("pack conversations: %w", err)
	}
	return nil
}

func (t *Transcripts) packLoose(ctx context.Context, ids []string) error {
	old, err := backup.PacksIn(t.privateDir())
	if err != nil {
		return err
	}
	if len(old) < backup.MaxPacks {
		old = nil
	}
	all := map[string]bool{}
	for _, id := range ids {
		all[id] = true
	}
	for _, file := range old {
		x, err := packs.Read(file+".idx", t.repo.IDSize())
		if err != nil {
			return err
		}
		for i := range x.Len() {
			all[x.ID(i)] = true
		}
	}
	made, err := t.backup.PackInto(ctx, t.privateDir(), slices.Sorted(maps.Keys(all)))
	if err != nil {
		return err
	}
	for _, file := range old {
		if !slices.Contains(made, file) {
			if err := backup.RemovePack(file); err != nil {
				return err
			}
		}
	}
	_, err = t.privateGit().Run(ctx, "prune-packed", "--quiet")
	return err
}
