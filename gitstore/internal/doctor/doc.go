// Package doctor says whether all that the memory needs is in order.
package doctor

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/part"
)

// An Examiner looks at what surrounds the memory: git, disk, settings, identity.
type Examiner struct {
	repo      *repo.Repo
	journal   *journal.Journal
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	lines     *write.Lines
	parts     *part.Set
	purge     *purge.Purger
	verify    *verify.Verifier
}

// New returns an Examiner over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	lines *write.Lines,
	parts *part.Set,
	purge *purge.Purger,
	verify *verify.Verifier,
) *Examiner {
	return &Examiner{
		repo:      repo,
		journal:   journal,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		lines:     lines,
		parts:     parts,
		purge:     purge,
		verify:    verify,
	}
}
