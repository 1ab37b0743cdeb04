// Package digest adds up the records of a transcript to what a session did.
package digest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/hooks/transcript/internal/attempt"
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/walk"
)

// Options say what a Digest keeps. They are no part of what it writes.
type Options struct {
	Root    string // of the repository's work tree, absolute; "" if there is none, and all files are outside
	Outside bool   // keep files outside of the root too, by their absolute paths
	Agent   bool   // the transcript is a subagent's own, and the person is who sent it
	SHA256  bool   // the repository names its objects by SHA-256
	Redact  *redact.Redactor
	Cost    *Cost // what looking for secrets takes is added to it; nil is nobody's concern
}

// A Digest is what a session did, as far as its transcript was read. It grows with the
// transcript up to some 250 kB as JSON (1.3 MB for one that is made to) and no further:
// of each list it keeps what is newest, and the counts go on. Offsets are those of
// records, in bytes: what has the greater one came later.
//
// It is for one transcript; that of a fork begins with a copy of the other one's. Records
// that it saw lately are not counted twice. It is not for use by several goroutines.
type Digest struct {
	Position record.Position `json:"position"`
	Skipped  record.Skipped  `json:"skipped,omitzero"`

	Sessions []string  `json:"sessions,omitempty"` // ids in the order seen, the newest 16
	Version  string    `json:"version,omitempty"`  // of the client
	Model    string    `json:"model,omitempty"`
	Branch   string    `json:"branch,omitempty"` // of git; "HEAD" if none is checked out
	Dir      string    `json:"dir,omitempty"`    // working directory, absolute
	Began    time.Time `json:"began,omitzero"`
	Last     time.Time `json:"last,omitzero"`

	Turns  int          `json:"turns,omitempty"`  // how often a person said something
	Usage  record.Usage `json:"usage,omitzero"`   // of the last answer
	Window int          `json:"window,omitempty"` // tokens in the model's window now: after the last answer or summary
	Output int          `json:"output,omitempty"` // tokens of all answers
	Calls  int          `json:"calls,omitempty"`  // of tools, that came to an end
	Failed int          `json:"failed,omitempty"` // of those

	Texts     []Text           `json:"texts,omitempty"`     // what was said last, the newest 40
	Summaries []Summary        `json:"summaries,omitempty"` // of compactions, the newest 3
	Compacted int              `json:"compacted,omitempty"` // how often
	Files     []files.File     `json:"files,omitempty"`     // by when they were touched last, at most 500
	Outside   int              `json:"outside,omitempty"`   // how often files outside of the root were touched
	Searches  []walk.Search    `json:"searches,omitempty"`  // the newest 50
	Searched  int              `json:"searched,omitempty"`  // how often
	MCP       []Call           `json:"mcp,omitempty"`       // by when they were called last, at most 100
	Failures  []Failure        `json:"failures,omitempty"`  // the newest 20
	Secrets   []redact.Finding `json:"secrets,omitempty"`   // what was taken out of all that is kept here

	State state `json:"state"` // what was begun and is not over, and what was seen
	o     Options
	root  *files.Root
	names map[string]redacted
}

// A Text is something that a person or the agent said. One of more than 4,000 bytes
// lacks its middle.
type Text struct {
	UUID   string    `json:"uuid"`
	Offset int64     `json:"offset"`
	Time   time.Time `json:"time,omitzero"`
	Person bool      `json:"person,omitempty"` // else the agent
	Text   string    `json:"text"`
}

// A Summary is what the client put in the place of a conversation.
type Summary struct {
	UUID   string    `json:"uuid"`
	Offset int64     `json:"offset"` // of the boundary
	Time   time.Time `json:"time,omitzero"`
	Auto   bool      `json:"auto,omitempty"`   // else a person asked for it
	Before int       `json:"before,omitempty"` // tokens in the window
	After  int       `json:"after,omitempty"`
	Text   string    `json:"text,omitempty"` // at most 10,000 bytes; the rest of it lacks the middle
}

// A Call counts the calls of one tool of an MCP server.
type Call struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Count  int    `json:"count"`
	Failed int    `json:"failed,omitempty"`
	Offset int64  `json:"offset"` // of the last one's answer
}

// A Failure is a call of a tool that came to nothing, or a test that did.
type Failure struct {
	Tool   string        `json:"tool"`
	What   string        `json:"what,omitempty"` // the command, file, page or MCP server, at most 300 bytes
	Text   string        `json:"text,omitempty"` // the answer, at most 1,000 bytes
	Offset int64         `json:"offset"`
	Test   bool          `json:"test,omitempty"`  // it ran tests
	Fixed  int64         `json:"fixed,omitempty"` // where the same succeeded; 0 for not yet
	Check  attempt.Check `json:"check,omitzero"`

	Tries []string `json:"tries,omitempty"` // what the line tries, without most arguments
	Eased int64    `json:"eased,omitempty"` // where that succeeded otherwise, or was taken back; 0 for not yet
}

// New returns the digest of a transcript of which nothing was read yet.
func New(o Options) *Digest { return &Digest{o: o, root: files.NewRoot(o.Root)} }

// Load returns the digest that was written as JSON. After an error the caller begins
// anew; it was written by another version, or cut off.
func Load(b []byte, o Options) (*Digest, error) {
	d := New(o)
	if err := json.Unmarshal(b, d); err != nil {
		return nil, fmt.Errorf("read the digest of a transcript: %w", err)
	}
	if d.State.Format != format {
		return nil, fmt.Errorf("the digest of a transcript has format %d, not %d", d.State.Format, format)
	}
	return d, nil
}

// A redacted is a text without its secrets, and what they were.
type redacted struct {
	text  string
	found []redact.Finding
}
