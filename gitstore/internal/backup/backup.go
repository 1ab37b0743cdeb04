package backup

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// The folder sage/backup.git is a bare repository that keeps what our refs reach
// or reached, so that a gc, a rewriter or a mirror that takes it from git cannot
// take it from us. A save gives each object that it writes a second name there: on
// the same file system that is no second copy. What protects from a failing disk is
// a clone elsewhere.
//
// We write its few files ourselves and never run git in it: its folder of objects
// is lent to a git that runs in the user's repository, so that no config in it is
// ever read. Nothing is removed from it but by RebuildBackup.

// BackupDir is a path in the backup.
func (bk *Backup) BackupDir(elem ...string) string {
	return bk.repo.Dir(append([]string{"backup.git"}, elem...)...)
}

func (bk *Backup) BackupObjectsDir() string { return bk.BackupDir("objects") }

// BackupObjects keeps objects in the backup. It is no part of what a save
// promises, so nothing that fails here is an error; SyncBackup makes up for it.
func (bk *Backup) BackupObjects(objects ...loose.Object) {
	to := loose.Store{Dir: bk.BackupObjectsDir(), Format: bk.repo.Objects.Format}
	for _, o := range objects {
		if err := bk.repo.Objects.LinkTo(&to, o); err == nil || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if bk.MakeBackup(bk.BackupDir()) == nil {
			_ = bk.repo.Objects.LinkTo(&to, o)
		}
	}
}

// MakeBackup makes an empty backup, or completes one. HEAD comes last: a folder
// that has one is whole.
func (bk *Backup) MakeBackup(dir string) error {
	if _, err := fsx.Lstat(filepath.Join(dir, "HEAD")); err == nil {
		return nil
	}
	for _, d := range []string{"objects", filepath.Join("objects", "pack"), "refs"} {
		if err := fsx.Mkdir(filepath.Join(dir, d)); err != nil {
			return err
		}
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if bk.repo.Objects.Format == "sha256" {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	if err := fsx.WriteDerived(filepath.Join(dir, "config"), []byte(config), 0o644); err != nil {
		return err
	}
	return fsx.WriteDerived(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/none\n"), 0o644)
}
