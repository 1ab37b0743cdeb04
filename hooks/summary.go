package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// summaryPart of what is kept of a session is the client's own summary of what it took
// out of the conversation last.
const summaryPart = "summary"

// A summed is that.
type summed struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"` // at most maxSummed bytes, without secrets
}

const (
	maxSummed = 8 << 10   // what a marker holds of it as well
	maxHeard  = 128 << 10 // how much of a summary is looked at
)

// postCompact keeps the client's summary: for what is still to be brought back, and for
// who recovers or hands over the session later. It says nothing: the client shows the
// person what a hook for this event prints.
func (e *event) postCompact(context.Context) (string, error) {
	text := heart(e.input.Summary)
	if text == "" || e.input.Agent != "" || e.mem.Store.Session() == "" {
		return "", nil
	}
	text, err := e.clean(text, maxHeard)
	if err != nil {
		return "", err
	}
	if err := e.mem.AddSummary(text); err != nil && !errors.Is(err, recall.ErrNoContinuity) {
		e.report(err)
	}
	return "", e.keepSummary(text)
}

// keepSummary keeps a summary without secrets.
func (e *event) keepSummary(text string) error {
	b, err := json.Marshal(summed{e.now().UTC().Truncate(time.Second), cutBytes(text, maxSummed)})
	if err != nil {
		return err
	}
	return e.mem.Store.Keep(summaryPart, append(b, '\n'))
}

// clean is the beginning of what somebody said, without secrets.
func (e *event) clean(text string, most int) (string, error) {
	began := time.Now()
	out, found, err := e.mem.Store.Redactor().Head(text, most)
	e.cost.Add(min(len(text), most), time.Since(began), found)
	return out, err
}

// cutBytes is the beginning of a text, whole characters.
func cutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// heart is what a summary says: the client's begins with what led its author there, and
// where it stands in the conversation it is followed by orders, which are not for later.
func heart(s string) string {
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

// lastSummary is what the client said of what it took out of the conversation last, if
// that was after since; "" if it did not, or nobody heard it.
func lastSummary(s *gitstore.Store, since time.Time) string {
	var last summed
	if json.Unmarshal(s.Kept(summaryPart), &last) != nil || !last.Time.After(since) {
		return ""
	}
	return last.Text
}
