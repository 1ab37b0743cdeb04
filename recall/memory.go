// Package recall is the memory that every front end calls: to save a
// checkpoint, and to put what is known in front of somebody again.
package recall

import (
	"context"
	"errors"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Settings are the tunables that the memory obeys; the front end reads them
// from wherever configuration lies.
type Settings struct {
	MaintenanceOnSave bool          // hide what is old
	MaxAge            time.Duration // checkpoint_max_age_days; 0 is never
	MaxCount          int           // checkpoint_max_count a line; 0 is never
	DepthMessages     int           // depth_min_messages
	DepthTokens       int           // depth_min_tokens
}

// A Memory saves and finds on behalf of one person or session.
type Memory struct {
	Store    *gitstore.Store
	Settings Settings
	Home     string // the user-wide folder, for templates
}

// A Note is what somebody wants remembered as a checkpoint.
type Note struct {
	Draft    gitstore.Draft
	Template string // "" is default; its required fields must be given
}

// Save checks n against its template and domain, fills in what can be
// computed, and saves it.
func (m *Memory) Save(ctx context.Context, n Note) (gitstore.Saved, error) {
	return gitstore.Saved{}, errors.New("being built")
}

// BriefOptions say how much of a checkpoint a brief shows.
type BriefOptions struct {
	Full      bool // every field
	Summary   bool // the most valuable first, cut at MaxTokens
	MaxTokens int  // 0 is no limit
	MaxChars  int  // 0 is no limit
}

// Brief renders c, with its template if it has one, as the Markdown that puts
// it back into an agent's context.
func (m *Memory) Brief(ctx context.Context, c *sage.Checkpoint, o BriefOptions) (string, error) {
	return "", errors.New("being built")
}
