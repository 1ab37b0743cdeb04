package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Act is what --json prints of an act, and of one that was taken back.
type Act struct {
	N      int       `json:"n,omitempty"` // in the list; the newest is 1
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	What   string    `json:"what"`
	Refs   []string  `json:"refs,omitempty"`
	Undone bool      `json:"undone,omitempty"` // just now
	Commit string    `json:"commit,omitempty"` // of the knowledge, which the undo made
}

// ActOf is an act, without its number in a list.
func ActOf(act gitstore.Act) Act {
	return Act{ID: act.ID, Time: act.At.UTC().Truncate(time.Second), Kind: string(act.Kind), What: act.What, Refs: act.Refs}
}
