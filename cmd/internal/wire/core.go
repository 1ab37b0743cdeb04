package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
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
