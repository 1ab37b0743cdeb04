// Package record reads the lines of a transcript: what somebody said, what a tool was asked
// and answered, or that the conversation was summarised.
package record

import "time"

// A Record is a line of a transcript that says something: what somebody said, what a
// tool answered, or that the conversation was summarised. What is not known is zero.
type Record struct {
	Offset  int64  // where its line begins, in bytes
	Type    string // user, assistant or system; context of a Reader with hooks
	Subtype string // of the client's own: compact_boundary, ...
	UUID    string
	Session string
	From    string // the session that it was copied from, where a fork says so
	Agent   string // the subagent that it is of
	Dir     string // working directory, absolute
	Branch  string // what git has checked out; "HEAD" for none
	Version string // of the client
	Time    time.Time
	Meta    bool // the client's words in a person's place
	Side    bool // of a subagent
	Summary bool // the summary that takes the place of the conversation

	MessageID string // several records are blocks of one answer
	Model     string
	Usage     Usage // of the whole answer, the same in all of its records

	Hook string // which put it there, of a context: SessionStart:startup, ...

	Result  []byte // what the client notes of a tool's answer, as JSON
	Compact []byte // and of a compaction

	content []byte
	hooked  bool
}

// A Usage counts the tokens of one answer.
type Usage struct {
	Input         int `json:"input"`
	CacheRead     int `json:"cache_read"`
	CacheCreation int `json:"cache_creation"`
	Output        int `json:"output"`
}

// Total is how much of the window is in use after the answer.
func (u Usage) Total() int { return u.Input + u.CacheRead + u.CacheCreation + u.Output }
