// Package purge takes something out of history, backup and logs for good, and leaves a
// record for other clones.
//
// Size: 49 methods, one for each place in which something may be left.
package purge

import (
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/part"
)

// A Purger takes something out of history for good.
type Purger struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	ledger    *ledger.Ledger
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	knowledge *knowledge.Collection
	admission *admission.Gate
	parts     *part.Set
	cleanse   *cleanse.Cleanser
}

// New returns a Purger over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	ledger *ledger.Ledger,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	knowledge *knowledge.Collection,
	admission *admission.Gate,
	parts *part.Set,
	cleanse *cleanse.Cleanser,
) *Purger {
	return &Purger{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		ledger:    ledger,
		commits:   commits,
		history:   history,
		contents:  contents,
		knowledge: knowledge,
		admission: admission,
		parts:     parts,
		cleanse:   cleanse,
	}
}
