package wire

import "github.com/git-sage/git-sage/gitstore"

// Line is what --json prints of a line.
type Line struct {
	Name        string   `json:"name"`
	Ref         string   `json:"ref"`
	Tip         string   `json:"tip"`
	Current     bool     `json:"current"`
	Fork        bool     `json:"fork"`
	Of          string   `json:"of,omitempty"` // of a fork: the line it left
	Latest      string   `json:"latest,omitempty"`
	Description string   `json:"description,omitempty"`
	Branches    []string `json:"branches,omitempty"` // of the user's code
	Closed      bool     `json:"closed,omitempty"`
	Private     bool     `json:"private,omitempty"`  // never sent to a remote
	Unmerged    int      `json:"unmerged,omitempty"` // checkpoints that no open line holds, where the git branch was deleted
}

// LineOf is a line or fork.
func LineOf(l gitstore.Line) Line {
	j := Line{
		Name: l.Name, Ref: l.Ref, Tip: l.Tip, Current: l.Current, Fork: l.Fork, Of: l.Of,
		Branches: l.Note.Branches, Closed: l.Note.Closed,
	}
	if l.Latest != nil {
		j.Latest, j.Description = l.Latest.ID, l.Latest.Description
	}
	return j
}

// Tag is what --json prints of a tag: a [gitstore.Tag].
type Tag struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}
