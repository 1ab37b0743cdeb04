// Package admission judges history that came from elsewhere: whether it is memory and
// nothing else, and says what it seems to say.
package admission

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Gate judges what came from elsewhere before a ref of ours leads to it.
type Gate struct {
	repo    *repo.Repo
	backup  *backup.Backup
	history *history.History
}

// New returns a Gate over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	history *history.History,
) *Gate {
	return &Gate{
		repo:    repo,
		backup:  backup,
		history: history,
	}
}
