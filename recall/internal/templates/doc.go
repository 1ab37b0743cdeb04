// Package templates gives a checkpoint a form: by its template, or as a brief.
package templates

import (
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A Renderer has the templates in force, and writes checkpoints by them.
type Renderer struct {
	stores     *stores.Stores
	provenance *provenance.Labeller
}

// New returns a Renderer over the rooms that it uses.
func New(stores *stores.Stores, provenance *provenance.Labeller) *Renderer {
	return &Renderer{stores: stores, provenance: provenance}
}
