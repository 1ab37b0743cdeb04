// Package upkeep packs what has become many files, and brings the backup up to date.
package upkeep

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/part"
)

// An Upkeep packs and backs up, now and then.
type Upkeep struct {
	repo   *repo.Repo
	backup *backup.Backup
	parts  *part.Set
}

// New returns an Upkeep over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	parts *part.Set,
) *Upkeep {
	return &Upkeep{
		repo:   repo,
		backup: backup,
		parts:  parts,
	}
}
