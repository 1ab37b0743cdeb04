package commits

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Query chooses records. The zero Query is the current line, newest first.
type Query struct {
	Revs       []string // names, ids or ranges a..b; none is the session's position
	Line       string   // only this line
	All        bool     // every line and fork, and what maintenance hides
	Max        int      // at most so many; 0 is all
	Skip       int
	Since      string // as git log takes it
	Until      string
	Author     string // regular expression, as git log takes it
	Grep       string // regular expression over description, thesis and question
	IgnoreCase bool
	Reverse    bool
	Skill      string
	Project    string
	Trigger    sage.Trigger
	Paths      []string                                    // only checkpoints that explored, changed or refer to one of these
	Removed    bool                                        // also what is removed, marked as such
	Refused    bool                                        // also what this user refused
	Signatures bool                                        // fill in Record.Signature
	MaxAge     time.Duration                               // hide what is older, unless All; 0 is never
	MaxCount   int                                         // hide what is beyond so many a line, recoveries first, unless All; 0 is never
	Wanted     bool                                        // somebody asked for Max, which goes before MaxCount
	Hidden     *int                                        // Log counts what it hid, 0 of a list that Max ended; may be nil
	Limits     func() (maxAge time.Duration, maxCount int) // those two, asked for with the first record; may be nil

	from time.Time // Since, where git cannot do it
}

// A Line is a chain of checkpoints, or a fork beside one.
type Line struct {
	Name    string // main, or main/3f2a91c0 for a fork
	Ref     string
	Tip     string
	Fork    bool
	Of      string         // of a fork: the line it left
	Current bool           // where this worktree stands
	Latest  *record.Record // the newest checkpoint that is not removed; nil if there is none
	Open    *record.Record // the merge that nobody settled on it, see [Commits.Unsettled]; nil if there is none
	Note    LineNote
}

// A LineNote is what lines/<line>.yaml of the knowledge tree says of a line.
type LineNote struct {
	Branches  []string       `yaml:"branches,omitempty"` // of git's, that it goes with
	Gone      []string       `yaml:"gone,omitempty"`     // those that were deleted
	Began     string         `yaml:"began,omitempty"`    // the user's commit at which the branch was made
	Closed    bool           `yaml:"closed,omitempty"`
	ClosedAt  string         `yaml:"closed_at,omitempty"` // the tip then: a line that has moved since is open again
	RenamedTo string         `yaml:"renamed_to,omitempty"`
	Extra     map[string]any `yaml:",inline"` // what a newer version wrote
}
