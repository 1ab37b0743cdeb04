package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// sharePacks gives our packs a second name in the backup: on the same file system
// it costs nothing to keep them. What the backup has in packs of its own besides,
// it need not keep twice.
func (bk *Backup) sharePacks(ctx context.Context) error {
	dir := filepath.Join(bk.BackupObjectsDir(), "pack")
	var names []string
	var shared []*packs.Index
	for _, name := range bk.OurPacks() {
		x, err := bk.share(dir, name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a gc of git's has put it into a pack of its own
		case err != nil:
			return nil // no links here: the backup packs for itself
		default:
			names, shared = append(names, name), append(shared, x)
		}
	}
	return bk.dropCovered(ctx, names, shared)
}

// share links a pack into the backup, its index last, and returns that.
func (bk *Backup) share(dir, name string) (*packs.Index, error) {
	from, to := filepath.Join(bk.repo.Where.Objects, "pack", name), filepath.Join(dir, name)
	if err := fsx.Mkdir(dir); err != nil {
		return nil, err
	}
	for _, ext := range []string{".pack", ".idx"} {
		if err := fsx.Link(from+ext, to+ext); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return packs.Read(to+".idx", bk.repo.IDSize())
}

// dropCovered removes packs of the backup that hold nothing but what the shared ones of
// these names hold, which are read first.
func (bk *Backup) dropCovered(ctx context.Context, names []string, shared []*packs.Index) error {
	own, err := bk.unshared(bk.BackupDir())
	if err != nil || len(shared) == 0 {
		return err
	}
	own = slices.DeleteFunc(own, func(file string) bool {
		x, err := packs.Read(file+".idx", bk.repo.IDSize())
		return err != nil || !covered(x, shared)
	})
	if len(own) == 0 {
		return nil
	}
	for _, name := range names {
		if _, err := bk.repo.Git.Run(ctx, "verify-pack", filepath.Join(bk.repo.Where.Objects, "pack", name)+".idx"); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	for _, file := range own {
		if err := RemovePack(file); err != nil {
			return err
		}
	}
	return nil
}

func covered(x *packs.Index, by []*packs.Index) bool {
	for i := range x.Len() {
		id := x.ID(i)
		if !slices.ContainsFunc(by, func(o *packs.Index) bool { return o.Has(id) }) {
			return false
		}
	}
	return true
}

// unshared lists the packs of a backup that are not ours as well.
func (bk *Backup) unshared(dir string) ([]string, error) {
	all, err := PacksIn(dir)
	ours := bk.OurPacks()
	return slices.DeleteFunc(all, func(file string) bool { return slices.Contains(ours, filepath.Base(file)) }), err
}

// unpacked leaves out the ids that packs of a backup hold.
func (bk *Backup) unpacked(dir string, ids []string) ([]string, error) {
	files, err := PacksIn(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if x, err := packs.Read(file+".idx", bk.repo.IDSize()); err == nil {
			ids = slices.DeleteFunc(ids, x.Has)
		}
	}
	return ids, nil
}

// RemovePack removes a pack, its index first: git looks for a pack where it sees
// an index.
func RemovePack(file string) error {
	for _, ext := range []string{".idx", ".rev", ".bitmap", ".pack"} {
		if err := fsx.Remove(file + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
