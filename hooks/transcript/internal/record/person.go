package record

import "strings"

// notSaid begin texts that the client puts where a person speaks: what a background
// task came to, a command of the client and what it printed, what the editor shows.
var notSaid = []string{
	"<task-notification>", "<local-command-", "<command-name>", "<command-message>", "<bash-input>", "<bash-stdout>",
	"<bash-stderr>", "<system-reminder>", "<ide_", "<user-memory-input>", "[Request interrupted by user",
}

// Said is what a person says in a record; "" if none does.
func (r *Record) Said() string {
	if r.Type != "user" || r.Meta || r.Summary {
		return ""
	}
	var parts []string
	for b := range r.Blocks() {
		if b.Type != "text" {
			continue
		}
		if s := b.Text(); s != "" && !begins(s, notSaid) {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

func begins(s string, with []string) bool {
	for _, w := range with {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}
