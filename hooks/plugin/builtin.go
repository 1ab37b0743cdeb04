package plugin

import "fmt"

// A plugin answers events.
type plugin struct {
	name     string
	priority int
	answer   func(Event) []Action
}

// builtin are all plugins, with the priorities that hold unless plugins.yaml says
// otherwise.
func builtin() []plugin {
	return []plugin{{"session", 10, session}, {"checkpoint-queue", 50, checkpointQueue}, {"recovery", 100, recovery}}
}

// session keeps the memory's idea of which sessions there are in step with transcripts.
func session(e Event) []Action {
	switch e.Kind {
	case DaemonStarted:
		return log("watching %s", e.Transcript)
	case DaemonStopping:
		return log("stopping: %s", e.Reason)
	case SessionStarted, CompactionDetected: // the second may be the first that is heard of it
		return []Action{{Do: StartSession}}
	case SessionEnded:
		return append(log("session %s ended: %s", e.Session, e.Reason), Action{Do: EndSession})
	}
	return nil
}

// checkpointQueue tells other sessions of what one has saved.
func checkpointQueue(e Event) []Action {
	switch e.Kind {
	case CheckpointCreated:
		return []Action{{Do: Queue, Checkpoint: e.Checkpoint}}
	case CheckpointFileCreated:
		return log("%s moved to %.8s", e.Ref, e.New)
	}
	return nil
}

// recovery keeps what a compaction takes. What is saved first is there when the marker
// brings the session back.
func recovery(e Event) []Action {
	if e.Kind != CompactionDetected {
		return nil
	}
	return append(log("session %s was compacted", e.Session), Action{Do: SaveRecovery}, Action{Do: WriteMarker})
}

func log(format string, args ...any) []Action {
	return []Action{{Do: Log, Text: fmt.Sprintf(format, args...)}}
}
