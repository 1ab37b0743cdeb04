// Package review lists what its user has not judged yet.
package review

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/write"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A Reviewer lists what waits for a review, and keeps it.
type Reviewer struct {
	stores     *stores.Stores
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
	similarity *similarity.Comparer
	write      *write.Writer
}

// New returns a Reviewer over the rooms that it uses.
func New(
	stores *stores.Stores,
	knowledge *knowledge.Collection,
	provenance *provenance.Labeller,
	similarity *similarity.Comparer,
	write *write.Writer,
) *Reviewer {
	return &Reviewer{
		stores:     stores,
		knowledge:  knowledge,
		provenance: provenance,
		similarity: similarity,
		write:      write,
	}
}
