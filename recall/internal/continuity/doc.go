// Package continuity brings a session back to where it was before its context was lost.
package continuity

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/opening"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/prompts"
)

// A Restorer claims what a session lost.
type Restorer struct {
	stores    *stores.Stores
	knowledge *knowledge.Collection
	templates *templates.Renderer
	session   *session.Session
	prompts   *prompts.Recaller
	opening   *opening.Opener
}

// New returns a Restorer over the rooms that it uses.
func New(
	stores *stores.Stores,
	knowledge *knowledge.Collection,
	templates *templates.Renderer,
	session *session.Session,
	prompts *prompts.Recaller,
	opening *opening.Opener,
) *Restorer {
	return &Restorer{
		stores:    stores,
		knowledge: knowledge,
		templates: templates,
		session:   session,
		prompts:   prompts,
		opening:   opening,
	}
}
