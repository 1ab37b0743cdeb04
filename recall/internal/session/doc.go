// Package session tells where thought stands: the latest checkpoint, what was recovered since
// then, and what waits to be merged.
package session

import (
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
)

// A Session is where the work of a line or session stands.
type Session struct {
	stores    *stores.Stores
	templates *templates.Renderer
}

// New returns a Session over the rooms that it uses.
func New(stores *stores.Stores, templates *templates.Renderer) *Session {
	return &Session{stores: stores, templates: templates}
}
