package record

import (
	"regexp"
	"strings"
	"sync"
)

// SummaryBody is what a summary says: the client's begins with what led its author there, and
// where it stands in the conversation it is followed by orders, which are not for later.
func SummaryBody(s string) string {
	if _, after, ok := strings.Cut(s, "<summary>"); ok {
		s, _, _ = strings.Cut(after, "</summary>")
	} else {
		if _, after, ok := strings.Cut(s, "</analysis>"); ok {
			s = after
		}
		s = preface().ReplaceAllString(s, "")
		if at := orders().FindStringIndex(s); at != nil {
			s = s[:at[0]]
		}
	}
	return strings.TrimSpace(s)
}

// What a client puts around a summary that it shows the model in the conversation's place.
var (
	preface = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*This session is being continued from a previous conversation[^\n]*\n+`)
	})
	orders = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:Resume directly|Continue the conversation from where|Please continue the conversation|If you need specific details from before compaction)\b`)
	})
)
