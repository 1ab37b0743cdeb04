// Package verify is fsck and repair: it checks refs, commits, items and files, and mends what
// it can. fsck.go lists the checks; what a repair does and records is in internal/fixes.
package verify

import (
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/part"
)

// A Verifier checks everything that is kept, and carries out fixes that can be undone.
type Verifier struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	ledger    *ledger.Ledger
	session   *session.Memory
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
	admission *admission.Gate
	parts     *part.Set
	purge     *purge.Purger
}

// New returns a Verifier over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	ledger *ledger.Ledger,
	session *session.Memory,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
	admission *admission.Gate,
	parts *part.Set,
	purge *purge.Purger,
) *Verifier {
	return &Verifier{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		ledger:    ledger,
		session:   session,
		commits:   commits,
		history:   history,
		contents:  contents,
		admission: admission,
		parts:     parts,
		purge:     purge,
	}
}
