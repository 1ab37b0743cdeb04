// Package write changes what is known, and has searches know it: it writes items, confirms,
// and takes acts back.
package write

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A Writer changes items, wherever they lie.
type Writer struct {
	stores     *stores.Stores
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
	similarity *similarity.Comparer
}

// New returns a Writer over the rooms that it uses.
func New(
	stores *stores.Stores,
	knowledge *knowledge.Collection,
	provenance *provenance.Labeller,
	similarity *similarity.Comparer,
) *Writer {
	return &Writer{
		stores:     stores,
		knowledge:  knowledge,
		provenance: provenance,
		similarity: similarity,
	}
}
