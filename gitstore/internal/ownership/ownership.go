// Package ownership keeps which commits and versions of items this user made here, or
// stands for. Whatever is not listed came from elsewhere, whoever it names.
//
// Size: 39 names, one for each form in which a list of ours names something, and 46 methods, a
// few for each list.
package ownership

import (
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Ownership tells what this user made or stands for from what came from elsewhere.
type Ownership struct {
	repo    *repo.Repo
	journal *journal.Journal

	trustMu       sync.Mutex // guards what is below
	trustWord     string     // see word
	ownLedger     ledger
	mixedLedger   ledger
	vouchedLedger ledger
	begunLedger   ledger
	takenLedger   ledger
	left          *Versions
}

// New returns Ownership over the rooms that it uses.
func New(repo *repo.Repo, journal *journal.Journal) *Ownership {
	return &Ownership{repo: repo, journal: journal}
}
