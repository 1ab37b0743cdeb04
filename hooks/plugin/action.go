package plugin

import "slices"

// What a plugin may ask for.
const (
	Log          = "log"                 // write Text to the watcher's log
	SaveRecovery = "save_recovery"       // save what nobody saved of the session, from its transcript
	WriteMarker  = "write_marker"        // let the session be brought back to where it was
	Queue        = "queue_for_injection" // tell other sessions of Checkpoint
	StartSession = "start_session"       // let the memory know of the session
	EndSession   = "end_session"         // save what nobody saved of a session that ended
)

// Actions are all of those.
var Actions = []string{Log, SaveRecovery, WriteMarker, Queue, StartSession, EndSession}

// An Action is something to be done about an event.
type Action struct {
	Do         string `json:"do"`
	Text       string `json:"text,omitempty"`
	Checkpoint string `json:"checkpoint,omitempty"` // id
}

func (a Action) allowed() bool { return slices.Contains(Actions, a.Do) }
