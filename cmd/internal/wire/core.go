package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// Core is what --json prints of a core file.
type Core struct {
	Path     string     `json:"path"` // relative to the repository's root
	Summary  string     `json:"summary,omitempty"`
	Added    *time.Time `json:"added,omitempty"`
	Exists   bool       `json:"exists"`
	Conflict bool       `json:"conflict,omitempty"` // a merge left several summaries

	Unconfirmed bool `json:"unconfirmed,omitempty"` // it came from elsewhere, and nobody here stands for it

	ID     string `json:"id"` // as items have them: the path
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// CoreOf is a core file; exists says whether it is there.
func CoreOf(f gitstore.CoreFile, exists bool, status string) Core {
	j := Core{
		Path: f.Path, Summary: f.Summary, Exists: exists, Conflict: f.Conflict, Unconfirmed: !f.Own,
		ID: f.Path, Type: "core", Title: f.Summary, Status: status,
	}
	if !f.Added.IsZero() {
		j.Added = &f.Added
	}
	return j
}

// CoreCandidate is what core suggest --json prints of a file.
type CoreCandidate struct {
	Path        string  `json:"path"`
	Score       float64 `json:"score"`
	UsedBy      int     `json:"used_by"`     // other files
	Commits     int     `json:"commits"`     // that changed it
	Checkpoints int     `json:"checkpoints"` // whose sessions read or changed it
}

// CoreCandidateOf is a file that may be worth being a core file.
func CoreCandidateOf(c recall.CoreCandidate) CoreCandidate {
	return CoreCandidate{c.Path, c.Score, c.Users, c.Commits, c.Read}
}
