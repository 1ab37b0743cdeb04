// Package commits reads commits as records: it resolves names, lists and walks lines, and
// knows what a tombstone removed. It remembers what it read of history from one run to the
// next.
//
// Size: 82 methods, for names, lists and tombstones are answered from one index of commits.
package commits

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// Commits reads commits as records: by name, in lists and along lines.
type Commits struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	ledger    *ledger.Ledger
	session   *session.Memory
}

// New returns Commits over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	ledger *ledger.Ledger,
	session *session.Memory,
) *Commits {
	return &Commits{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		ledger:    ledger,
		session:   session,
	}
}
