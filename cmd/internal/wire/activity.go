package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// An Activity is what activity --json prints of a checkpoint or a change of the knowledge.
type Activity struct {
	Kind        string    `json:"kind"` // checkpoint, recovery or knowledge
	ID          string    `json:"id"`
	Author      string    `json:"author"` // which anybody can claim to be, unless it is mine
	Email       string    `json:"email"`
	Mine        bool      `json:"mine,omitempty"` // this user made it, here
	Time        time.Time `json:"ts"`             // when it was committed, or came here if that was before
	Line        string    `json:"line,omitempty"`
	Description string    `json:"description"`
	Thesis      string    `json:"thesis,omitempty"`
	Unconfirmed bool      `json:"unconfirmed,omitempty"`
}

// ActivityOf is what somebody did; r is the record of a checkpoint.
func ActivityOf(act gitstore.ActiveAct, r gitstore.Record) Activity {
	j := Activity{
		Kind: "knowledge", ID: act.ID, Author: act.Author.Name, Email: act.Author.Mail, Mine: act.Mine, Time: act.At.UTC(), Line: act.Line,
		Description: act.Change,
	}
	switch {
	case act.Change != "":
		return j
	case act.Recovery:
		j.Kind = "recovery"
	default:
		j.Kind = "checkpoint"
	}
	j.Description, j.Thesis, j.Unconfirmed = r.Description, r.Thesis, !r.Own || r.Unconfirmed
	return j
}
