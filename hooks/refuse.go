package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// recoverWithin is what a compaction waits for: above what 80 MB of a transcript take
// that no event has read yet.
const recoverWithin = 1200 * time.Millisecond

// askedPart of what is kept of a session says behind which checkpoint a compaction was
// refused.
const askedPart = "refused"

// A refused is that.
type refused struct {
	After string `json:"after"` // id; "" is none
}

// keepUnsaved saves what nobody saved before a compaction. A compaction that a person
// asked for is refused then, once between two checkpoints: the answer says why. Nobody
// can do anything about one that the client began.
func (e *event) keepUnsaved(ctx context.Context) (refusal string) {
	file := e.transcript()
	if file == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, recoverWithin)
	defer cancel()
	l, err := saveUnsaved(ctx, e.mem, file, sage.Recovery, &e.cost)
	if err != nil && ctx.Err() != nil && e.Later != nil {
		err = e.later(ctx, Recovering)
	}
	e.report(err)
	if err != nil || l == nil || e.input.Trigger != "manual" {
		return ""
	}
	return e.refuse(l)
}

// refuse is the answer that keeps the client from compacting, "" if it was given before.
// What cannot be noted is not refused: it would be again and again.
func (e *event) refuse(l *loss) string {
	var before refused
	if json.Unmarshal(e.mem.Store.Kept(askedPart), &before) == nil && before.After == l.after {
		return ""
	}
	b, err := json.Marshal(refused{l.after})
	if err == nil {
		err = e.mem.Store.Keep(askedPart, append(b, '\n'))
	}
	if err != nil {
		e.report(err)
		return ""
	}
	out, err := json.Marshal(map[string]string{"decision": "block", "reason": reason(l)})
	e.report(err)
	return string(out) + "\n"
}

// mostTold is how many points the reason names.
const mostTold = 5

// reason tells the person what is not saved, and what to do.
func reason(l *loss) string {
	var b strings.Builder
	fmt.Fprintf(&b, "git-sage: this conversation came to something that no checkpoint holds:\n- %s\n", cut(sage.OneLine(l.Thesis), 200))
	told := 1
	for _, s := range append(l.KeyEvidence, l.OpenQuestions...) {
		if s != l.Thesis && told < mostTold {
			fmt.Fprintf(&b, "- %s\n", cut(sage.OneLine(s), 200))
			told++
		}
	}
	fmt.Fprintf(&b, "Ask for a checkpoint (sage_save_checkpoint) and compact then, or compact again to go on without: "+
		"what rules could pick out is kept as recovery %s.", l.id[:min(8, len(l.id))])
	return b.String()
}
