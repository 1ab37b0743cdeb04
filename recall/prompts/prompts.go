// Package prompts chooses what an agent is told for what it was asked and for what it does:
// items and checkpoints that answer a prompt, that fit an act, or that refer to a file.
package prompts

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// A Recaller puts what is known in front of an agent.
type Recaller struct {
	stores     *stores.Stores
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
	session    *session.Session
	search     *search.Searcher
}

// New returns a Recaller over the rooms that it uses.
func New(
	stores *stores.Stores,
	knowledge *knowledge.Collection,
	provenance *provenance.Labeller,
	session *session.Session,
	search *search.Searcher,
) *Recaller {
	return &Recaller{
		stores:     stores,
		knowledge:  knowledge,
		provenance: provenance,
		session:    session,
		search:     search,
	}
}
