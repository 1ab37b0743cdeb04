// Package opening writes what a session is shown at its start, and a subagent when it is sent
// out.
package opening

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/project"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/similarity"
)

// An Opener writes it.
type Opener struct {
	stores     *stores.Stores
	project    *project.Worktree
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
	session    *session.Session
	prompts    *prompts.Recaller
	similarity *similarity.Comparer
}

// New returns an Opener over the rooms that it uses.
func New(
	stores *stores.Stores,
	project *project.Worktree,
	knowledge *knowledge.Collection,
	provenance *provenance.Labeller,
	session *session.Session,
	prompts *prompts.Recaller,
	similarity *similarity.Comparer,
) *Opener {
	return &Opener{
		stores:     stores,
		project:    project,
		knowledge:  knowledge,
		provenance: provenance,
		session:    session,
		prompts:    prompts,
		similarity: similarity,
	}
}
