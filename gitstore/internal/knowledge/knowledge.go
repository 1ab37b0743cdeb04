// Package knowledge keeps items, notes, skills and core files, and whose they are.
//
// Size: 37 names, 3510 lines, for items, notes, skills and core files are changed in one way,
// whether others have them or not, and of each it is told who wrote it.
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

// A reader reads items, which notes, skills and core files are, too: as they are, as their
// removals leave them, and whose they are.
type reader struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	commits   *commits.Commits
	history   *history.History
	contents  *contents.Tree
}

// An archive tells of items what they were, who wrote them, and what links to them.
type archive struct{ reader }

// A Collection is the knowledge as items: it reads and changes them, and keeps what is known
// of each beside git.
type Collection struct{ archive }

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
	return &Collection{archive{reader{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		ownership: ownership,
		commits:   commits,
		history:   history,
		contents:  contents,
	}}}
}
