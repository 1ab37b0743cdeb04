// Package notes says which checkpoints explain a commit of the user's own, and keeps that as
// git notes on refs/notes/sage.
package notes

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// Notes reads and writes the notes on the user's own commits.
type Notes struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	ledger    *ledger.Ledger
	commits   *commits.Commits
}

// New returns Notes over the rooms that it uses.
func New(repo *repo.Repo, backup *backup.Backup, rewritten *rewritten.Map, ledger *ledger.Ledger, commits *commits.Commits) *Notes {
	return &Notes{repo: repo, backup: backup, rewritten: rewritten, ledger: ledger, commits: commits}
}
