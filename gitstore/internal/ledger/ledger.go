// Package ledger moves our refs, by compare-and-swap and durably, and makes the commits
// that they are moved to.
package ledger

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Ledger moves refs so that nothing acknowledged is lost.
type Ledger struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership

	Moved func() // called when refs have moved, for who sends them on; nil is nobody
}

// haveMoved tells that refs have moved.
func (led *Ledger) haveMoved() {
	if led.Moved != nil {
		led.Moved()
	}
}

// New returns a Ledger over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
) *Ledger {
	return &Ledger{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
	}
}
