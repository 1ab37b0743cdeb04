// Package knowledge keeps items, notes, skills and core files, and whose they are.
//
// Size: 32 names and 80 methods, for items, notes, skills and core files are changed in one
// way.
package knowledge

import (
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Collection is the knowledge as items: notes, skills and core files, too.
type Collection struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
}

// New returns a Collection over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
) *Collection {
	return &Collection{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		commits:   commits,
		history:   history,
		contents:  contents,
	}
}
