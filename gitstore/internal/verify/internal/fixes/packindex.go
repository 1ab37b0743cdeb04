package fixes

import (
	"context"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// A PackIndex fix lets git make the index of a pack again. It is derived of the pack, so
// that there is nothing to keep.
type PackIndex struct {
	File string // the pack, without its ending
	Name string
}

func (f *PackIndex) About() string { return f.Name }
func (f *PackIndex) Will() string  { return "rebuilds it from the pack" }
func (f *PackIndex) Did() string   { return "rebuilt from the pack" }

func (f *PackIndex) Plan(*Run) error { return nil }

// indexTime bounds the reading of a pack.
const indexTime = time.Hour

// Do also gives the index its second name in the backup again, where the pack has one.
func (f *PackIndex) Do(ctx context.Context, r *Run) error {
	ctx, cancel := context.WithTimeout(ctx, indexTime)
	defer cancel()
	if _, err := r.Repo.Git.Run(ctx, "-c", "core.fsync=pack-metadata", "index-pack", f.File+".pack"); err != nil {
		return err
	}
	second := filepath.Join(r.Backup.BackupObjectsDir(), "pack", filepath.Base(f.File)) + ".idx"
	if fsx.There(second) && packs.Check(second, r.Repo.IDSize()) != nil {
		if err := fsx.Remove(second); err != nil {
			return err
		}
		if err := fsx.Link(f.File+".idx", second); err != nil {
			return err
		}
	}
	return fsx.SyncDir(filepath.Dir(f.File))
}
