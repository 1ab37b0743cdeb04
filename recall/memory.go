// Package recall is the memory that every front end calls: to save a
// checkpoint, and to put what is known in front of somebody again.
//
// Size: 6700 lines, 68 names and 168 methods, for it is what every front end calls.
package recall

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// Settings are the tunables that the memory obeys; the front end reads them
// from wherever configuration lies.
type Settings struct {
	MaintenanceOnSave bool          // hide what is old
	MaxAge            time.Duration // checkpoint_max_age_days; 0 is never
	MaxCount          int           // checkpoint_max_count a line; 0 is never
	MaxItemAge        time.Duration // knowledge_max_age_days; 0 is never
	DepthMessages     int           // depth_min_messages
	DepthTokens       int           // depth_min_tokens

	EmbeddingWeight, KeywordWeight float64            // shares of a score: embedding_weight, keyword_weight
	Thresholds                     map[string]float64 // see [Ranking]
	RecallItems, RecallTokens      int                // recall_max_items, recall_max_tokens; 0 is the default
	Skill                          string             // skill
	Dedup                          float64            // dedup_threshold; 0 is DedupThreshold
	NoContinuity                   bool               // continuity_enabled is false

	VectorIndex string // vector_index: flat, hnsw or auto, for processes that live long; "" is flat
	Transcripts string // whether conversations are kept: off, local or shared
}

// Options say what a memory is of, and what it may use.
type Options struct {
	Store    *gitstore.Store
	Settings func() Settings  // asked when they are needed; nil is none
	Home     string           // the user-wide folder, for templates
	Now      func() time.Time // the clock; nil is time.Now
	Upkeep   func()           // starts the upkeep of the store and does not wait; nil is never

	// ReadAhead calls start, now or beside what else is done, for a checkpoint that was
	// saved: the prompt of another session may come next. nil leaves the reading to who
	// looks for something.
	ReadAhead func(start func())

	// OpenOwn opens the user's own store, which is made if it is not there; nil is
	// a memory without one.
	OpenOwn func(context.Context) (*gitstore.Store, error)

	Embedder   func() (embed.Embedder, error) // the model for prose; nil, or one that is nil: words alone
	Background func()                         // starts what brings the sidecar up to date and does not wait; nil: it is done at once
	Indexes    *sidecar.Indexes               // keeps what search reads open; nil opens it each time
	Reading    func(left int)                 // told how much a search still has to read of what is new; nil is nobody
	Warn       func(error)                    // told of what does not keep the memory from answering; nil is nobody

	// Around adds to what is about to be saved what is known of its circumstances, such as
	// the files that the session read; saved, which may be nil, is told the checkpoint's id
	// when that is done. nil adds nothing. It is not asked for drafts with NoCode.
	Around func(ctx context.Context, c *sage.Checkpoint) (saved func(id string))

	// Kept is told of each checkpoint that was saved, to keep what led to it; nil is nobody.
	// What it cannot keep is no failure of the save.
	Kept func(id string) error
}

// A Memory saves and finds on behalf of one person or session.
type Memory struct {
	Options

	ownOnce  sync.Mutex
	ownStore *gitstore.Store
}

// New returns the memory that o describes.
func New(o Options) *Memory { return &Memory{Options: o} }

// Settings are those that hold; what is zero is the default of what obeys it.
func (m *Memory) Settings() Settings {
	if m.Options.Settings == nil {
		return Settings{}
	}
	return m.Options.Settings()
}

// Now is what the clock says.
func (m *Memory) Now() time.Time {
	if m.Options.Now == nil {
		return time.Now()
	}
	return m.Options.Now()
}

// A Note is what somebody wants remembered as a checkpoint.
type Note struct {
	Draft    gitstore.Draft
	Template string // "" is what the draft names, else default; its required fields must be given
	Unasked  bool   // saved by itself: nobody is there to give what a template requires
}

// Save checks n against its template and domain, fills in what can be
// computed, and saves it. What is wrong with n is said in an [InvalidError], and
// then nothing was saved. A note that nobody asked for may lack what a template
// requires, and is refused with [ErrUnsure] below the confidence that its trigger needs,
// with [ErrShallow] while the conversation is short, and with [ErrRepeats] if it says
// nothing new; of what somebody asked for a warning says so.
func (m *Memory) Save(ctx context.Context, n Note) (gitstore.Saved, error) {
	c := n.Draft.Checkpoint.Clone()
	if n.Template != "" {
		c.Template = n.Template
	}
	if err := m.check(ctx, c, !n.Unasked); err != nil {
		return gitstore.Saved{}, err
	}
	m.fill(c)
	if n.Unasked {
		if err := m.worthSaving(ctx, c, n.Draft.Line); err != nil {
			return gitstore.Saved{}, err
		}
		m.inherit(ctx, n.Draft, c)
	}
	given := slices.Clone(c.CodeRefs)
	noted := m.surroundings(ctx, n.Draft.NoCode, c)
	for _, r := range c.CodeRefs { // what a session read, its transcript says
		if !slices.Contains(given, r) {
			n.Draft.Before = append(n.Draft.Before, r)
		}
	}
	n.Draft.Checkpoint = *c
	saved, err := m.Store.Save(ctx, n.Draft)
	if err == nil && noted != nil {
		noted(saved.ID)
	}
	if err == nil && !n.Unasked && c.Trigger != sage.Handoff { // which says it again, as it should
		if said := m.repeats(ctx, c, saved); said != "" {
			saved.Warnings = append(saved.Warnings, said)
		}
	}
	if err == nil { // its author knows what it says
		m.complain(m.NoteShown(saved.ID))
	}
	m.keepUp(err)
	m.keep(saved.ID, err)
	m.readAhead(ctx, err)
	return saved, err
}

// worthSaving returns an error that is [Declined] for a checkpoint that nobody asked for
// and nobody would miss.
func (m *Memory) worthSaving(ctx context.Context, c *sage.Checkpoint, on string) error {
	if err := sureEnough(c); err != nil {
		return err
	}
	if err := m.DeepEnough(c); err != nil || c.Trigger == sage.Recovery {
		return err
	}
	return m.newEnough(ctx, c, on)
}

// keep lets what led to a checkpoint be kept.
func (m *Memory) keep(id string, err error) {
	if err == nil && m.Kept != nil {
		m.complain(m.Kept(id))
	}
}

func (m *Memory) surroundings(ctx context.Context, none bool, c *sage.Checkpoint) func(id string) {
	if m.Around == nil || none {
		return nil
	}
	defer c.Measure()
	return m.Around(ctx, c)
}

// keepUp starts the upkeep behind a save, if it is time.
func (m *Memory) keepUp(err error) {
	if err == nil && m.Upkeep != nil && m.Store.UpkeepDue() {
		m.Upkeep()
	}
}

// readAhead has a new checkpoint read for searches in the background, unless a process is at
// it, which goes on to what is new.
func (m *Memory) readAhead(ctx context.Context, err error) {
	if err != nil || m.ReadAhead == nil || m.Background == nil {
		return
	}
	dir := m.Store.SidecarDir() // the store may be closed by then
	m.ReadAhead(func() {
		if !index.Busy(ctx, dir) {
			m.Background()
		}
	})
}

// fill computes what its author need not give.
func (m *Memory) fill(c *sage.Checkpoint) {
	if c.Trigger == "" {
		c.Trigger = sage.Manual
	}
	if c.Time.IsZero() {
		c.Time = m.Now().UTC().Truncate(time.Second)
	}
	if c.Project == "" {
		c.Project = m.Project()
	}
	c.Measure()
}

// Merge is [gitstore.Store.Merge] of what was checked as Save checks it, but
// for the fields that a template requires: the sides of the merge have them.
func (m *Memory) Merge(ctx context.Context, r gitstore.MergeRequest) (gitstore.Merged, error) {
	c := r.Draft.Checkpoint.Clone()
	if r.Confidence != nil {
		c.Confidence = r.Confidence
	}
	if problems := problemsOf(c.Validate()); len(problems) > 0 {
		return gitstore.Merged{}, &InvalidError{Problems: problems}
	}
	merged, err := m.Store.Merge(ctx, r)
	m.keepUp(err)
	if !merged.UpToDate && !merged.FastForward {
		m.keep(merged.ID, err)
		m.readAhead(ctx, err)
	}
	return merged, err
}

// Project is the name of the repository: that of its folder, wherever the git
// directory lies. The user's own store has none.
func (m *Memory) Project() string {
	common := filepath.Clean(m.Store.CommonDir())
	if m.isOwn() {
		return ""
	}
	top := m.Store.Top()
	switch {
	case filepath.Base(common) == ".git": // also from a linked worktree
		return filepath.Base(filepath.Dir(common))
	case top != "" && filepath.Clean(m.Store.GitDir()) == common: // a submodule, --separate-git-dir
		return filepath.Base(top)
	}
	return strings.TrimSuffix(filepath.Base(common), ".git")
}

// IsProjectPath tells a path that stands for a project from its name: it begins with ./ or
// ../, or is absolute.
func IsProjectPath(project string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(project), "/")
	return first == "." || first == ".." || filepath.IsAbs(project)
}

// ProjectOf is the name of the project that a name or a path stands for; "" for this
// repository itself, whatever its checkpoints call it.
func (m *Memory) ProjectOf(project string) string {
	project = strings.TrimSpace(project)
	top := m.Store.Top()
	if !IsProjectPath(project) || top == "" {
		return project
	}
	if !filepath.IsAbs(project) {
		project = filepath.Join(top, project)
	}
	if rel, err := filepath.Rel(top, project); err == nil && filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Base(project)
}
