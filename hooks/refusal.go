package hooks

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
)

// keepUnsaved saves what nobody saved before a compaction. Where autosave is ask, one that
// a person asked for is refused then, once between two checkpoints: the answer says why.
// Nobody can do anything about one that the client began.
func (e *event) keepUnsaved(ctx context.Context) (refusal string) {
	held := e.input.Trigger == "manual" && e.agent.Asks()
	l := e.agent.SaveBeforeCompaction(ctx, held)
	if l == nil || !held {
		return ""
	}
	return e.refuse(l)
}

// refuse is the answer that keeps the client from compacting, "" if it was given before.
// What cannot be noted is not refused: it would be again and again.
func (e *event) refuse(l *autosave.Loss) string {
	if e.state().WasRefused(l.After) {
		return ""
	}
	if err := e.state().NoteRefused(l.After); err != nil {
		e.report(err)
		return ""
	}
	out, err := reply(map[string]any{"decision": "block", "reason": reason(l)})
	e.report(err)
	return out
}

// reason tells the person in three lines what is not saved, and what to do.
func reason(l *autosave.Loss) string {
	return fmt.Sprintf("git-sage: unsaved: %s\nAsk for a checkpoint first, or type /compact again. Record %s has what could be extracted automatically.",
		cut.Runes(legible.OneLine(l.Thesis), 120), brief.ShortID(l.ID))
}
