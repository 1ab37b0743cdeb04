// Package confirm lets a person stand for what came from elsewhere, and for what rules
// made of a conversation.
package confirm

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Confirmer has this user stand for what came from elsewhere or what rules made.
type Confirmer struct {
	repo      *repo.Repo
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	commits   *commits.Commits
	knowledge *knowledge.Collection

	// MadeOf are the checkpoints that hold all that a merge says; an error tells that it may
	// say something of its own.
	MadeOf func(ctx context.Context, id string) ([]string, error)

	// ClosedLines are the lines that are closed.
	ClosedLines func(ctx context.Context) map[string]string

	// RefusesItem reports whether this user refused what an item says; nil if nobody knows.
	// Where refusals are kept is not known here.
	RefusesItem func(e knowledge.ItemEntry) bool
}

// New returns a Confirmer over the rooms that it uses.
func New(
	repo *repo.Repo,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	commits *commits.Commits,
	knowledge *knowledge.Collection,
) *Confirmer {
	return &Confirmer{
		repo:      repo,
		rewritten: rewritten,
		ownership: ownership,
		commits:   commits,
		knowledge: knowledge,
	}
}
