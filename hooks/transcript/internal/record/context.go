package record

import (
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
)

// plainOutput are the events of which a client that has no other word for it puts the plain
// output of a hook in front of the agent.
var plainOutput = []string{"SessionStart", "UserPromptSubmit"}

// context reads what a hook put in front of the agent. It reports whether it did, and
// makes it a record of type context.
func (r *Record) context(attached []byte) bool {
	kind := ""
	var content, out []byte
	for key, v := range scan.Fields(attached) {
		switch string(key) {
		case "type":
			kind = scan.Text(v)
		case "hookName":
			r.Hook = scan.Text(v)
		case "content":
			content = v
		case "stdout":
			out = v
		}
	}
	switch kind {
	case "hook_additional_context":
		r.content = content
	case "hook_success": // with JSON, what it adds stands in a record of its own
		if s := strings.TrimSpace(scan.Text(out)); s == "" || s[0] == '{' || !begins(r.Hook, plainOutput) {
			return false
		}
		r.content = out
	default:
		return false
	}
	r.Type = "context"
	return true
}

// Context is what a hook put in front of the agent.
func (r *Record) Context() string {
	if len(r.content) > 0 && r.content[0] == '"' {
		return scan.Text(r.content)
	}
	var parts []string
	for v := range scan.Elements(r.content) {
		parts = append(parts, scan.Text(v))
	}
	return strings.Join(parts, "\n\n")
}
