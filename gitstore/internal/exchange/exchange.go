// Package exchange takes in what was fetched: it brings lines and the knowledge forward,
// joins what was made at once, and refuses what is not memory.
package exchange

import (
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// An Exchange takes in what others made.
type Exchange struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	ledger    *ledger.Ledger
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	knowledge *knowledge.Collection
	admission *admission.Gate
	follow    *follow.Follower
	purge     *purge.Purger
	confirm   *confirm.Confirmer
}

// New returns an Exchange over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	ledger *ledger.Ledger,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	knowledge *knowledge.Collection,
	admission *admission.Gate,
	follow *follow.Follower,
	purge *purge.Purger,
	confirm *confirm.Confirmer,
) *Exchange {
	return &Exchange{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		ledger:    ledger,
		commits:   commits,
		history:   history,
		contents:  contents,
		knowledge: knowledge,
		admission: admission,
		follow:    follow,
		purge:     purge,
		confirm:   confirm,
	}
}
