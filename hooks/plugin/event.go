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
	Old, New   string // ids that it was at and is at; "" is none
	Checkpoint string // id
	Trigger    string // of the checkpoint
	Reason     string // why the daemon stops, or the session is taken for ended
}
