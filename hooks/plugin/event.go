package plugin

// A Kind says what was seen.
type Kind string

const (
	DaemonStarted         Kind = "DaemonStarted"
	DaemonStopping        Kind = "DaemonStopping"
	SessionStarted        Kind = "SessionStarted"        // a new transcript
	SessionEnded          Kind = "SessionEnded"          // its client is gone, or nothing was written for long
	CompactionDetected    Kind = "CompactionDetected"    // a transcript holds a new summary
	CheckpointCreated     Kind = "CheckpointCreated"     // on a line or a fork
	CheckpointFileCreated Kind = "CheckpointFileCreated" // a ref of refs/sage moved
)

// An Event is something that the watcher saw. What does not apply is zero.
type Event struct {
	Kind       Kind
	Session    string // id
	Transcript string // path
	Dir        string // working directory of the session, or of a repository, absolute
	Summary    string // uuid of the record that holds a compaction's summary
	Ref        string // that moved
	New        string // id that the ref is at
	Checkpoint string // id
	Reason     string // why the daemon stops, or the session is taken for ended
}

// What a plugin may ask for.
const (
	Log          = "log"                 // write Text to the watcher's log
	SaveRecovery = "save_recovery"       // save what nobody saved of the session, from its transcript
	WriteMarker  = "write_marker"        // let the session be brought back to where it was
	Queue        = "queue_for_injection" // tell other sessions of Checkpoint
	StartSession = "start_session"       // let the memory know of the session
	EndSession   = "end_session"         // save what nobody saved of a session that ended
)

// An Action is something to be done about an event.
type Action struct {
	Do         string `json:"do"`
	Text       string `json:"text,omitempty"`
	Checkpoint string `json:"checkpoint,omitempty"` // id
}
