// Package references ties what is known to the code that it is about: which checkpoints, items
// and commits explain a line, and which references no longer hold.
package references

import (
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/write"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A Collection is the code references of a memory.
type Collection struct {
	stores     *stores.Stores
	provenance *provenance.Labeller
	write      *write.Writer
}

// New returns a Collection over the rooms that it uses.
func New(stores *stores.Stores, provenance *provenance.Labeller, write *write.Writer) *Collection {
	return &Collection{stores: stores, provenance: provenance, write: write}
}
