package imports

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Source reads what another tool wrote.
type Source interface {
	// Tool is the name of the tool, a good name of a line.
	Tool() string

	// Names are the items that Each will yield, as far as it can be known before, so that
	// links can be made between them.
	Names(ctx context.Context) ([]Name, error)

	// Each calls fn with every record: a checkpoint behind what it continues. It stops at the
	// first error that fn returns, and returns an error of its own only where it cannot go on.
	// Run calls it twice: first to look at the items ahead, then to write.
	Each(ctx context.Context, fn func(Record) error) error
}

// A Name is what a tool calls an item.
type Name struct {
	Own  bool
	Name string // unique among the items of its store
	ID   string // that the tool gave it, if Name is another
}

// A Record is one thing that was read, or a file that holds none.
type Record struct {
	Lies     string // the file, and what of it
	Name     string // what the tool calls it, unique among its kind: it is known again by that
	Own      bool   // it is the user's, and no project's
	Thing    Thing  // nil if nothing could be read
	Problems []Problem
}

// A Thing is what can be brought in: a [Checkpoint], [Item], [CoreFile], [Template] or
// [Setting].
type Thing interface{ kind() string }

// A Checkpoint is one with its place among the others.
type Checkpoint struct {
	*sage.Checkpoint
	Parent string // Name of the record that it continues; "" is none that is known
	Aside  bool   // the main line of thought does not go on from it
}

// An Item is a piece of knowledge. Its links, and what replaces it, name others by the names
// of their records.
type Item struct {
	*sage.Item
	Shelf       string // "" is knowledge, else system, skills, or skills/<skill>
	Unconfirmed bool   // the tool itself did not count it, so that somebody has to look at it
}

// A CoreFile is a file of the user's own that matters.
type CoreFile struct {
	Path, Summary string
	Added         time.Time
}

// A Template is a template of checkpoints, as the text of a file.
type Template []byte

// A Setting is a key that has a counterpart here, and its value.
type Setting struct{ Key, Value string }

func (Checkpoint) kind() string { return "checkpoint" }
func (CoreFile) kind() string   { return "core file" }
func (Template) kind() string   { return "template" }
func (Setting) kind() string    { return "setting" }

func (it Item) kind() string {
	if it.Type == sage.Doc {
		return "text"
	}
	return it.Type.Kind()
}

// A Grade says how much of something is lost by a problem.
type Grade string

// The grades.
const (
	Noted   Grade = "note"    // nothing
	Partial Grade = "partial" // a part of it was not brought in
	Skipped Grade = "skipped" // nothing of it was
)

// A Problem is something about a file that its owner has to know.
type Problem struct {
	Where string `json:"where"` // file, and what of it
	Grade Grade  `json:"grade"`
	What  string `json:"what"`
	Do    string `json:"do,omitempty"` // what to do about it; "" is nothing
}
