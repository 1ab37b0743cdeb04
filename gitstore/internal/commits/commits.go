// Package commits reads commits as records: it resolves names, lists and walks lines, and
// knows what a tombstone removed. It remembers what it read of history from one run to the
// next.
//
// Size: 89 methods, 3040 lines, for names, lists, refusals and tombstones are answered from one index of commits.
package commits

import (
	"context"

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

	// Refused are the checkpoints that this user refused, by id; nil is none. It is asked often.
	Refused func(ctx context.Context) map[string]bool
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
