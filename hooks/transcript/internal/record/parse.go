package record

import (
	"time"

	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
)

// parse reads a line: whether it is sound, and of a type that is known. It leaves a
// line alone as soon as it sees another type.
func (r *Record) parse(line []byte) (sound, known bool) {
	var message, attached []byte
	sound = scan.Object(line, func(key, v []byte) bool {
		switch string(key) {
		case "type":
			r.Type = scan.Text(v)
			known = r.Type == "attachment" && attached == nil || r.knows(attached)
			return known
		case "message":
			message = v
		case "attachment":
			attached = v
			if r.Type == "attachment" {
				known = r.knows(v)
				return known
			}
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

func (r *Record) knows(attached []byte) bool {
	switch r.Type {
	case "user", "assistant", "system":
		return true
	case "attachment":
		return r.queued(attached) || r.hooked && r.context(attached)
	}
	return false
}

// queued reads what a person said while the agent was at work: the client attaches that
// to the turn that goes on. It reports whether it is that, and makes it a user's record.
func (r *Record) queued(attached []byte) bool {
	kind, mode := "", ""
	for key, v := range scan.Fields(attached) {
		switch string(key) {
		case "type":
			if kind = scan.Text(v); kind != "queued_command" {
				return false
			}
		case "commandMode":
			mode = scan.Text(v)
		case "prompt":
			r.content = v
		}
	}
	if kind == "" || mode != "" && mode != "prompt" {
		return false
	}
	r.Type = "user"
	return true
}

func (r *Record) field(key, v []byte) {
	if p := r.place(string(key)); p != nil {
		*p = scan.Text(v)
		return
	}
	switch string(key) {
	case "timestamp":
		r.Time, _ = time.Parse(time.RFC3339, scan.Text(v))
	case "isMeta":
		r.Meta = r.Meta || scan.Truth(v)
	case "promptSource": // typed, sdk, ... or the client itself
		r.Meta = r.Meta || scan.Text(v) == "system"
	case "isSidechain":
		r.Side = scan.Truth(v)
	case "isCompactSummary":
		r.Summary = scan.Truth(v)
	case "toolUseResult":
		r.Result = v
	case "compactMetadata":
		r.Compact = v
	}
}

// place is where the text of a field goes; nil for any other.
func (r *Record) place(key string) *string {
	switch key {
	case "subtype":
		return &r.Subtype
	case "uuid":
		return &r.UUID
	case "sessionId":
		return &r.Session
	case "requestSessionId":
		return &r.From
	case "agentId":
		return &r.Agent
	case "cwd":
		return &r.Dir
	case "gitBranch":
		return &r.Branch
	case "version":
		return &r.Version
	}
	return nil
}

func (r *Record) message(b []byte) {
	for key, v := range scan.Fields(b) {
		switch string(key) {
		case "id":
			r.MessageID = scan.Text(v)
		case "model":
			r.Model = scan.Text(v)
		case "usage":
			r.Usage = usage(v)
		case "content":
			r.content = v
		}
	}
}

func usage(b []byte) (u Usage) {
	for key, v := range scan.Fields(b) {
		switch string(key) {
		case "input_tokens":
			u.Input = scan.Number(v)
		case "cache_read_input_tokens":
			u.CacheRead = scan.Number(v)
		case "cache_creation_input_tokens":
			u.CacheCreation = scan.Number(v)
		case "output_tokens":
			u.Output = scan.Number(v)
		}
	}
	return u
}
