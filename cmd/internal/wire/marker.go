package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Marker is what --json prints of what waits, and of what was brought back.
type Marker struct {
	Session    string    `json:"session,omitempty"` // none: of whoever comes first in the work tree
	Worktree   string    `json:"worktree"`          // its git directory
	Reason     string    `json:"reason,omitempty"`
	Time       time.Time `json:"time"`
	Checkpoint string    `json:"checkpoint,omitempty"`
	Summary    string    `json:"summary,omitempty"` // the client's own
	Text       string    `json:"text,omitempty"`    // of what was brought back
}

// MarkerOf is a mark, without the text of what was brought back.
func MarkerOf(m gitstore.Marker) Marker {
	return Marker{Session: m.Session, Worktree: m.Worktree, Reason: m.Reason, Time: m.Time, Checkpoint: m.Checkpoint, Summary: m.Summary}
}
