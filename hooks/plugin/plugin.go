// Package plugin decides what is done about what the watcher sees: built-in plugins, which a
// person may order and switch off, ask for actions. A plugin does nothing itself.
package plugin

import (
	"cmp"
	"slices"
)

// A Kind says what was seen.
type Kind int

const (
	SessionStarted     Kind = iota // a new transcript
	SessionEnded                   // its client is gone, or nothing was written for long
	CompactionDetected             // a transcript holds a new summary
	CheckpointCreated              // on a line or a fork
)

// What a plugin may ask for.
const (
	SaveRecovery = "save_recovery"       // save what nobody saved of the session, from its transcript
	WriteMarker  = "write_marker"        // let the session be brought back to where it was
	Queue        = "queue_for_injection" // tell other sessions of Checkpoint
	StartSession = "start_session"       // let the memory know of the session
	EndSession   = "end_session"         // save what nobody saved of a session that ended
)

// An Action is something to be done about what was seen.
type Action struct {
	Do         string `json:"do"`
	Checkpoint string `json:"checkpoint,omitempty"` // id
}

// A plugin asks for actions by what was seen.
type plugin struct {
	name     string
	priority int
	asks     map[Kind][]string
}

// builtin are all plugins, with the priorities that hold unless plugins.yaml says
// otherwise.
func builtin() []plugin {
	return []plugin{
		// Keeps the memory's idea of which sessions there are in step with transcripts. A
		// compaction may be the first that is heard of one.
		{"session", 10, map[Kind][]string{
			SessionStarted: {StartSession}, CompactionDetected: {StartSession}, SessionEnded: {EndSession},
		}},
		// Tells other sessions of what one has saved.
		{"checkpoint-queue", 50, map[Kind][]string{CheckpointCreated: {Queue}}},
		// Keeps what a compaction takes. What is saved first is there when the marker brings
		// the session back.
		{"recovery", 100, map[Kind][]string{CompactionDetected: {SaveRecovery, WriteMarker}}},
	}
}

// A Set asks plugins, those of a lower priority first.
type Set []plugin

// New returns the built-in plugins as they are configured.
func New(c Config) (s Set) {
	for _, p := range builtin() {
		set := c.Plugins[p.name]
		if set.Priority != nil {
			p.priority = *set.Priority
		}
		if !set.Disabled {
			s = append(s, p)
		}
	}
	slices.SortStableFunc(s, func(a, b plugin) int { return cmp.Compare(a.priority, b.priority) })
	return s
}

// Names returns the plugins that are asked, in their order.
func (s Set) Names() (names []string) {
	for _, p := range s {
		names = append(names, p.name)
	}
	return names
}

// Ask returns what is to be done about what was seen, in the order of the plugins.
func (s Set) Ask(seen Kind) (do []string) {
	for _, p := range s {
		do = append(do, p.asks[seen]...)
	}
	return do
}
