package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/references"
)

// Why is what why --json and its tool tell of lines.
type Why struct {
	Path        string   `json:"path"`
	Lines       [2]int   `json:"lines,omitzero"`
	Reasons     []reason `json:"reasons"`
	Commits     []commit `json:"commits"`
	Uncommitted [][2]int `json:"uncommitted,omitempty"`
}

// A reason is a checkpoint or an item that explains lines.
type reason struct {
	Kind     string    `json:"kind"` // checkpoint, or the kind of an item
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	From     string    `json:"from,omitempty"` // who wrote it, if nobody here stands for it
	Time     time.Time `json:"time"`
	Outdated string    `json:"outdated,omitempty"` // why it no longer counts
	By       string    `json:"by"`                 // lines, commit, file or folder
	Lines    [2]int    `json:"lines,omitzero"`     // to which it refers, as they are now
	Symbol   string    `json:"symbol,omitempty"`
	Commits  []string  `json:"commits,omitempty"`
	sage.RefState
}

// A commit is one that lines are from.
type commit struct {
	ID          string    `json:"id"`
	Subject     string    `json:"subject"`
	Author      string    `json:"author"`
	Time        time.Time `json:"time"`
	File        string    `json:"file"` // what the file was called in it
	Lines       [][2]int  `json:"lines"`
	Checkpoints []string  `json:"checkpoints,omitempty"`
}

// WhyOf is what an explanation tells.
func WhyOf(e *references.Explanation) Why {
	out := Why{Path: e.Path, Lines: [2]int{e.First, e.Last}, Reasons: []reason{}, Commits: []commit{}, Uncommitted: e.Uncommitted}
	for _, r := range e.Reasons {
		kind := r.Type
		if r.Checkpoint {
			kind = "checkpoint"
		}
		out.Reasons = append(out.Reasons, reason{kind, r.ID, r.Title, r.From, r.Time.UTC(), r.Outdated, r.How.String(), r.Lines, r.Ref.Symbol, r.Commits, r.Now})
	}
	for _, c := range e.Commits {
		out.Commits = append(out.Commits, commit{c.ID, c.Subject, c.Author, c.Time.UTC(), c.File, c.Lines, c.Reasons})
	}
	return out
}

// BlamedLine is a line of a file in blame --json.
type BlamedLine struct {
	Line   int    `json:"line"`
	Commit string `json:"commit,omitempty"`
	ID     string `json:"id,omitempty"` // of what explains it best
	Text   string `json:"text"`
}

// Checked is a reference to code that is not current in verify --json.
type Checked struct {
	Kind string `json:"kind"` // checkpoint, or the kind of an item
	ID   string `json:"id"`
	codeRef
	Fixed   bool   `json:"fixed,omitempty"`
	Unfixed string `json:"unfixed,omitempty"` // why it was not moved
}

// CheckedOf is what a check tells.
func CheckedOf(c references.Checked) Checked {
	kind := c.Type
	if c.Checkpoint {
		kind = "checkpoint"
	}
	return Checked{kind, c.ID, codeRefsOf([]sage.CodeRef{c.Ref}, []sage.RefState{c.Now})[0], c.Fixed, c.Unfixed}
}
