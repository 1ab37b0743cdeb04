// Package backup writes objects durably, keeps a second name for each of them, packs them,
// and brings back what git lost.
//
// Size: 58 methods, for writing, packing and bringing back look at the same two sets of
// objects.
package backup

import (
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Backup keeps a second name for every object that our refs reach, which a prune of the
// repository does not take away.
type Backup struct {
	repo    *repo.Repo
	journal *journal.Journal

	back atomic.Int64 // objects that were taken back from the backup, and nobody was told of
}

// New returns a Backup over the rooms that it uses.
func New(repo *repo.Repo, journal *journal.Journal) *Backup {
	return &Backup{repo: repo, journal: journal}
}
