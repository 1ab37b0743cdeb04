package recall

import (
	"github.com/git-sage/git-sage/recall/internal/continuity"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/opening"
	"github.com/git-sage/git-sage/recall/internal/project"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/skills"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/internal/write"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/save"
	"github.com/git-sage/git-sage/recall/search"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A Memory saves and finds on behalf of one person or session. It is what its rooms are
// together; each has a package of its own below. Close it when done.
type Memory struct {
	*stores.Stores
	*project.Worktree
	*knowledge.Collection
	*provenance.Labeller
	*templates.Renderer
	*session.Session
	*similarity.Comparer
	*search.Searcher
	*prompts.Recaller
	*skills.Catalogue
	*opening.Opener
	*continuity.Restorer
	*write.Writer
	*review.Reviewer
	*save.Saver
}

// New returns the memory that o describes.
func New(o Options) *Memory {
	s := stores.New(o)
	m := &Memory{Stores: s}
	m.Worktree = project.New(s)
	m.Collection = knowledge.New(s)
	m.Labeller = provenance.New(s, m.Collection)
	m.Renderer = templates.New(s)
	m.Session = session.New(s, m.Renderer)
	m.Comparer = similarity.New(s, m.Collection, m.Labeller)
	m.Searcher = search.New(s, m.Collection, m.Session)
	m.Recaller = prompts.New(s, m.Collection, m.Labeller, m.Session, m.Searcher)
	m.Catalogue = skills.New(s, m.Collection, m.Labeller, m.Renderer)
	m.Opener = opening.New(s, m.Worktree, m.Collection, m.Labeller, m.Session, m.Recaller)
	m.Restorer = continuity.New(s, m.Collection, m.Renderer, m.Session, m.Recaller, m.Opener)
	m.Writer = write.New(s, m.Collection, m.Labeller, m.Comparer)
	m.Reviewer = review.New(s, m.Collection, m.Labeller, m.Comparer, m.Writer)
	m.Saver = save.New(s, m.Worktree, m.Renderer, m.Session, m.Comparer, m.Recaller)
	return m
}
