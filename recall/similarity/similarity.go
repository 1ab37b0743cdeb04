// Package similarity compares what is said: checkpoints and items that say the same, or the
// contrary, and messages that are about the same.
package similarity

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A Comparer tells what says the same.
type Comparer struct {
	stores     *stores.Stores
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
}

// New returns a Comparer over the rooms that it uses.
func New(stores *stores.Stores, knowledge *knowledge.Collection, provenance *provenance.Labeller) *Comparer {
	return &Comparer{stores: stores, knowledge: knowledge, provenance: provenance}
}
