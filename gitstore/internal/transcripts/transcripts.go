// Package transcripts keeps conversations, redacted, in a private repository beside git
// that is never pushed.
package transcripts

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// Transcripts keeps conversations in a repository of their own beside git.
type Transcripts struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	commits   *commits.Commits
}

// New returns Transcripts over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	commits *commits.Commits,
) *Transcripts {
	return &Transcripts{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		commits:   commits,
	}
}
