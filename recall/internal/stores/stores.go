// Package stores has what a memory is made of: the store of the repository and the one of the
// user, the search index of each, the model, the settings and the clock.
package stores

import (
	"context"
	"sync"
	"time"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A Stores opens and keeps up what questions are asked of.
type Stores struct {
	Options

	ownOnce  sync.Mutex
	ownStore *gitstore.Store
}

// New returns the Stores that o describes.
func New(o Options) *Stores { return &Stores{Options: o} }

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
	Thresholds                     map[string]float64 // see rank.Ranking
	RecallItems, RecallTokens      int                // recall_max_items, recall_max_tokens; 0 is the default
	WithholdStale                  bool               // recall_stale is withhold
	Skill                          string             // skill
	Dedup                          float64            // dedup_threshold; 0 is the default
	Review                         string             // review_required: none or all; "" is new-authors
	NoContinuity                   bool               // continuity_enabled is false

	VectorIndex string // vector_index: flat, hnsw or auto, for processes that live long; "" is flat
	SyncAuto    string // sync_auto: off, fetch or both
	Transcripts string // whether conversations are kept: off, local or shared

	CodeInclude, CodeExclude []string      // code_include, code_exclude
	CodeBudget               time.Duration // code_embed_budget; 0 is no limit
}

// Options say what a memory is of, and what it may use.
type Options struct {
	Store    *gitstore.Store
	Settings func() Settings  // asked when they are needed; nil is none
	Home     string           // the user-wide folder, for templates
	Now      func() time.Time // the clock; nil is time.Now
	Upkeep   func()           // starts the upkeep of the store and does not wait; nil is never
	Sync     func()           // starts what is due with remotes and does not wait; nil is never

	// ReadAhead calls start, now or beside what else is done, for a checkpoint that was
	// saved: the prompt of another session may come next. nil leaves the reading to who
	// looks for something.
	ReadAhead func(start func())

	// OpenOwn opens the user's own store, which is made if it is not there; nil is
	// a memory without one.
	OpenOwn func(context.Context) (*gitstore.Store, error)

	// OpenProject opens the store of another repository, and reads its settings; nil opens none.
	OpenProject func(ctx context.Context, dir string) (*gitstore.Store, Settings, error)

	Embedder   func() (embed.Embedder, error) // the model for prose; nil, or one that is nil: words alone
	CodeModel  func() (embed.Embedder, error) // the model for code; nil, or one that is nil: words alone
	EmbedCode  func()                         // starts what embeds code and does not wait; nil: nobody does
	IndexCode  func()                         // starts what indexes code, likewise
	Background func()                         // starts what brings the sidecar up to date and does not wait; nil: it is done at once
	Indexes    *sidecar.Indexes               // keeps what search reads open; nil opens it each time
	Code       *codeindex.Kept                // likewise what searches of code read
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

// Settings are those that hold; what is zero is the default of what obeys it.
func (st *Stores) Settings() Settings {
	if st.Options.Settings == nil {
		return Settings{}
	}
	return st.Options.Settings()
}

// Now is what the clock says.
func (st *Stores) Now() time.Time {
	if st.Options.Now == nil {
		return time.Now()
	}
	return st.Options.Now()
}
