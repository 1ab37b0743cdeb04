package recall

import (
	"sync"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
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
	"github.com/git-sage/git-sage/recall/references"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/save"
	"github.com/git-sage/git-sage/recall/search"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A Memory saves and finds on behalf of one person or session. It hands out its rooms, each a
// package of its own below: memory.Save.Checkpoint, memory.Knowledge.Items. A room uses only
// those that stand below it. Close it when done.
type Memory struct {
	Save       *save.Saver            // saving and merging checkpoints
	Review     *review.Reviewer       // what its user has not judged yet
	Write      *write.Writer          // changing and confirming items, taking acts back
	Continuity *continuity.Restorer   // bringing a session back to where it was
	Opening    *opening.Opener        // what a session or subagent is shown at its start
	Skills     *skills.Catalogue      // what belongs to a skill
	Prompts    *prompts.Recaller      // what an agent is told for a prompt, an act or a file
	Search     *search.Searcher       // checkpoints and items for a query
	Similarity *similarity.Comparer   // what says the same, the contrary, or is about the same
	Session    *session.Session       // where thought stands
	Templates  *templates.Renderer    // templates, and checkpoints written by them or as a brief
	Provenance *provenance.Labeller   // where an item comes from, and the mark that says so
	Knowledge  *knowledge.Collection  // items of the repository and of the user, read
	References *references.Collection // what explains a line of code, and which references hold
	Project    *project.Worktree      // the names of the project
	Stores     *stores.Stores         // both stores, their search indexes, the settings, the clock
	Store      *gitstore.Store        // the store of the repository

	code     sync.Once
	codeOpen *codeindex.Index
}

// New returns the memory that o describes.
func New(o Options) *Memory {
	s := stores.New(o)
	m := &Memory{Stores: s, Store: o.Store}
	if m.Store != nil {
		m.Store.Repo.Symbols = symbols{m}
	}
	m.Project = project.New(s)
	m.Knowledge = knowledge.New(s)
	m.Provenance = provenance.New(s, m.Knowledge)
	m.Templates = templates.New(s, m.Provenance)
	m.Session = session.New(s, m.Templates)
	m.Similarity = similarity.New(s, m.Knowledge, m.Provenance)
	m.Search = search.New(s, m.Knowledge, m.Session)
	m.Prompts = prompts.New(s, m.Knowledge, m.Provenance, m.Session, m.Search)
	m.Skills = skills.New(s, m.Knowledge, m.Provenance, m.Templates)
	m.Opening = opening.New(s, m.Project, m.Knowledge, m.Provenance, m.Session, m.Prompts, m.Similarity)
	m.Continuity = continuity.New(s, m.Knowledge, m.Templates, m.Session, m.Prompts, m.Opening)
	m.Write = write.New(s, m.Knowledge, m.Provenance, m.Similarity)
	m.References = references.New(s, m.Provenance, m.Write)
	m.Review = review.New(s, m.Knowledge, m.Provenance, m.Similarity, m.Write)
	m.Save = save.New(s, m.Project, m.Templates, m.Session, m.Similarity, m.Prompts)
	return m
}

// Close closes the store, and what the memory opened beside it.
func (m *Memory) Close() error {
	if m.codeOpen != nil {
		_ = m.codeOpen.Close() // it was read
	}
	return m.Stores.Close()
}
