// Package cleanse makes commits, trees and files anew without what is to go.
//
// Size: 70 methods, one for each kind of text and object that is made anew.
package cleanse

import (
	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Cleanser makes histories without something.
type Cleanser struct {
	repo      *repo.Repo
	backup    *backup.Backup
	rewritten *rewritten.Map
	commits   *commits.Commits
	admission *admission.Gate
}

// New returns a Cleanser over the rooms that it uses.
func New(
	repo *repo.Repo,
	backup *backup.Backup,
	rewritten *rewritten.Map,
	commits *commits.Commits,
	admission *admission.Gate,
) *Cleanser {
	return &Cleanser{
		repo:      repo,
		backup:    backup,
		rewritten: rewritten,
		commits:   commits,
		admission: admission,
	}
}
