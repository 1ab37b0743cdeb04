package backup

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// Verify reads back what was written, after the ref moved and after any gc
// that ran meanwhile, and writes again what is gone. It does so while the gc runs,
// too: until then others find a ref that points to nothing.
func (bk *Backup) Verify(ctx context.Context, objects ...loose.Object) error {
	bk.repo.WhileGC(ctx, func() { _ = bk.readBack(ctx, objects) }) // what fails is tried again
	return bk.readBack(ctx, objects)
}

func (bk *Backup) readBack(ctx context.Context, objects []loose.Object) error {
	for _, o := range objects {
		if o.Data == nil || bk.repo.Objects.Holds(o) {
			continue
		}
		if got, err := bk.repo.Batch.Get(o.ID); err == nil && string(got.Data) == string(o.Data) {
			continue // packed meanwhile
		}
		if err := bk.Put(ctx, o); err != nil {
			return fmt.Errorf("rewrite objects that gc removed: %w", err)
		}
		bk.NoteFresh([]loose.Object{o}) // the next prune may have looked before the ref moved, too
	}
	return nil
}

// Put writes objects by the way that suits the repository.
func (bk *Backup) Put(ctx context.Context, objects ...loose.Object) error {
	if bk.IsShared() {
		return bk.putShared(ctx, objects)
	}
	to := bk.repo.Objects
	to.Durable = bk.Durable()
	return to.Write(objects...)
}

func (bk *Backup) Durable() bool { return bk.repo.Flag("sage.durable", true) }

func IsFalse(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "false", "no", "off", "umask":
		return true
	}
	return false
}

// IsShared reports whether other users of this machine write to the repository, too.
func (bk *Backup) IsShared() bool {
	v, _, ok := bk.repo.Config("core.sharedrepository")
	return ok && !IsFalse(v)
}

// putShared lets git write, which knows the modes of a shared repository.
func (bk *Backup) putShared(ctx context.Context, objects []loose.Object) error {
	for _, o := range objects {
		out, err := bk.repo.Git.Feed(ctx, o.Data, "-c", "core.fsync=loose-object,reference", "hash-object", "-w", "--no-filters", "--stdin", "-t", o.Type)
		if err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
		if git.Text(out) != o.ID {
			return fmt.Errorf("write object %s: git stored it as %s", o.ID, git.Text(out))
		}
		if err := bk.repo.Objects.Settle(o.ID); err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
	}
	return nil
}
