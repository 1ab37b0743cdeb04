package segment

import (
	"strings"
	"time"
)

// A Doc is what is put into the index.
type Doc struct {
	Meta
	Body  string
	Apart []string // what is found by itself beside the body: requests that want an item, statements of a checkpoint
}

// apartMark stands before each of those behind a body: a chunk that begins with it goes to the
// model without the title.
const apartMark = "\x1f"

// Searched is all that the words of a document stand in: its body, and what stands apart.
func (d *Doc) Searched() string {
	var b strings.Builder
	b.WriteString(d.Body)
	for _, ask := range d.Apart {
		b.WriteString("\n" + apartMark + ask)
	}
	return b.String()
}

// Meta is what the index tells of a document without git: enough to choose
// what is shown, not to show it.
type Meta struct {
	Key    string // names the document; at most one is held under it
	Kind   string // what lists are made of: knowledge, checkpoint, ...
	Blob   string // where git has the text
	Title  string // searched like the body, and by itself
	Type   string
	Line   string
	Status string
	Source string
	Author string
	Vouch  string // of one that is always given: who stands for that has it listed

	Trigger    string
	Confidence float64
	Tokens     int
	Part       int // bytes that are searched of one that nobody here stands for; 0 is of all others

	Added, Updated time.Time // to the second

	Skills, Paths      []string
	Always, User       bool
	Keywords, Patterns []string
	ReplacedBy         []string
	Links              []string // keys of documents that this one points to
}

// IsForeign reports whether nobody here stands for a document.
func (m *Meta) IsForeign() bool { return m.Part > 0 }
