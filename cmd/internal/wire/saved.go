package wire

import (
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
)

// Saved is the stable machine form of what a save did.
type Saved struct {
	ID          string     `json:"id"`
	Line        string     `json:"line"`
	Fork        string     `json:"fork,omitempty"` // name of the fork it went to
	Parents     []string   `json:"parents"`
	Description string     `json:"description"`
	Warnings    []string   `json:"warnings"`
	Redacted    []redacted `json:"redacted,omitempty"`
	Forked      bool       `json:"forked"`
}

type redacted struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// SavedOf is what a save did.
func SavedOf(s gitstore.Saved) Saved {
	j := Saved{
		ID: s.ID, Line: s.Line, Parents: NotNil(s.Parents), Description: s.Description,
		Warnings: NotNil(hint.Notes(s.Warnings)), Forked: s.Forked,
	}
	if s.Forked {
		j.Fork = s.RefName()
	}
	for _, f := range s.Redacted {
		j.Redacted = append(j.Redacted, redacted{f.Rule, f.Count})
	}
	return j
}
