// Package history answers which commits contain others, and guards that a ref holds what
// was acknowledged on it.
package history

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A History knows how commits hang together, and what a ref must hold.
type History struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ledger    *ledger.Ledger
	commits   *commits.Commits
}

// New returns a History over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ledger *ledger.Ledger,
	commits *commits.Commits,
) *History {
	return &History{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ledger:    ledger,
		commits:   commits,
	}
}
