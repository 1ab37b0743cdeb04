package transcript

import (
	"iter"
	"strings"
	"time"
)

// A Record is a line of a transcript that says something: what somebody said, what a
// tool answered, or that the conversation was summarised. What is not known is zero.
type Record struct {
	Offset  int64  // where its line begins, in bytes
	Type    string // user, assistant or system
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

	content, result, compact []byte
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

// parse reads a line: whether it is sound, and of a type that is known. It leaves a
// line alone as soon as it sees another type.
func (r *Record) parse(line []byte) (sound, known bool) {
	var message, attached []byte
	sound = object(line, func(key, v []byte) bool {
		switch string(key) {
		case "type":
			r.Type = text(v)
			known = r.Type == "user" || r.Type == "assistant" || r.Type == "system" || r.Type == "attachment" && r.queued(attached)
			return known
		case "message":
			message = v
		case "attachment":
			attached = v
		default:
			r.field(key, v)
		}
		return true
	})
	if sound && known {
		r.message(message)
	}
	return sound, known
}

// queued reads what a person said while the agent was at work: the client attaches that
// to the turn that goes on. It reports whether it is that, and makes it a user's record.
func (r *Record) queued(attached []byte) bool {
	kind, mode := "", ""
	for key, v := range fields(attached) {
		switch string(key) {
		case "type":
			if kind = text(v); kind != "queued_command" {
				return false
			}
		case "commandMode":
			mode = text(v)
		case "prompt":
			r.content = v
		}
	}
	r.Type = "user"
	return kind != "" && (mode == "" || mode == "prompt")
}

func (r *Record) field(key, v []byte) {
	switch string(key) {
	case "subtype":
		r.Subtype = text(v)
	case "uuid":
		r.UUID = text(v)
	case "sessionId":
		r.Session = text(v)
	case "requestSessionId":
		r.From = text(v)
	case "agentId":
		r.Agent = text(v)
	case "cwd":
		r.Dir = text(v)
	case "gitBranch":
		r.Branch = text(v)
	case "version":
		r.Version = text(v)
	case "timestamp":
		r.Time, _ = time.Parse(time.RFC3339, text(v))
	case "isMeta":
		r.Meta = r.Meta || truth(v)
	case "promptSource": // typed, sdk, ... or the client itself
		r.Meta = r.Meta || text(v) == "system"
	case "isSidechain":
		r.Side = truth(v)
	case "isCompactSummary":
		r.Summary = truth(v)
	case "toolUseResult":
		r.result = v
	case "compactMetadata":
		r.compact = v
	}
}

func (r *Record) message(b []byte) {
	for key, v := range fields(b) {
		switch string(key) {
		case "id":
			r.MessageID = text(v)
		case "model":
			r.Model = text(v)
		case "usage":
			r.Usage = usage(v)
		case "content":
			r.content = v
		}
	}
}

func usage(b []byte) (u Usage) {
	for key, v := range fields(b) {
		switch string(key) {
		case "input_tokens":
			u.Input = number(v)
		case "cache_read_input_tokens":
			u.CacheRead = number(v)
		case "cache_creation_input_tokens":
			u.CacheCreation = number(v)
		case "output_tokens":
			u.Output = number(v)
		}
	}
	return u
}

// A Block is a part of what a record says.
type Block struct {
	Type   string // text, thinking, tool_use, tool_result, image, ...
	ID     string // of the call of a tool
	Name   string // of the tool that is called
	Failed bool   // the call came to nothing: an error, or nobody allowed it

	text, content, input []byte
}

// Blocks are the parts of a record, from the first to the last.
func (r *Record) Blocks() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		if len(r.content) > 0 && r.content[0] == '"' {
			yield(Block{Type: "text", text: r.content})
			return
		}
		for b := range elements(r.content) {
			if !yield(block(b)) {
				return
			}
		}
	}
}

func block(b []byte) (x Block) {
	for key, v := range fields(b) {
		switch string(key) {
		case "type":
			x.Type = text(v)
		case "id", "tool_use_id":
			x.ID = text(v)
		case "name":
			x.Name = text(v)
		case "is_error":
			x.Failed = truth(v)
		case "text":
			x.text = v
		case "content":
			x.content = v
		case "input":
			x.input = v
		}
	}
	return x
}

// Text is what a block of type text says, or what a tool answered.
func (b Block) Text() string {
	if b.Type != "tool_result" || len(b.content) > 0 && b.content[0] == '"' {
		return strings.TrimSpace(text(b.text) + text(b.content))
	}
	inner := Record{content: b.content}
	return inner.Text()
}

// Text is what a record says, without what tools are asked and answer.
func (r *Record) Text() string {
	var parts []string
	for b := range r.Blocks() {
		if b.Type != "text" {
			continue
		}
		if s := b.Text(); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}
