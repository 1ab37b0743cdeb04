// Package contents reads and writes the files of the knowledge, by path.
//
// Size: 32 names, for files, folders and their bounds are asked of one tree, of what is shared
// and of what is private.
package contents

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Tree is the knowledge as files: one commit after another on a ref of its own, and of what is
// private on another.
type Tree struct {
	repo    *repo.Repo
	backup  *backup.Backup
	ledger  *ledger.Ledger
	history *history.History

	BeforeWrite func(context.Context) error // before the knowledge is written: see AdoptVersions
}

// New returns a Tree over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	ledger *ledger.Ledger,
	history *history.History,
) *Tree {
	return &Tree{
		repo:    repo,
		backup:  backup,
		ledger:  ledger,
		history: history,
	}
}
