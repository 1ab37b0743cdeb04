// Package templates gives a checkpoint a form: by its template, or as a brief.
package templates

import "github.com/git-sage/git-sage/recall/internal/stores"

// A Renderer has the templates in force, and writes checkpoints by them.
type Renderer struct {
	stores *stores.Stores
}

// New returns a Renderer over the rooms that it uses.
func New(stores *stores.Stores) *Renderer {
	return &Renderer{stores: stores}
}
