package autosave

import (
	"fmt"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/terms"
)

// moment is what the session has come to that is worth saving and was not pointed out
// yet; nil for nothing. What would be lost comes first.
func (t *turn) moment() *moment {
	if m := t.windowFilled(); m != nil {
		return m
	}
	if t.now().Sub(t.Memo.AskedAt) < t.s.Cooldown {
		return nil
	}
	for _, m := range []*moment{t.recognised(), saveOverdue(t.trail, t.s)} {
		if m != nil && t.deep(m) {
			return m
		}
	}
	return nil
}

// fullerShare is how much fuller the window is, as a share of what the client will use, when
// the same is said again of one that nothing was saved of.
const fullerShare = 10

// windowFilled is the moment at which the window is as full as the threshold says.
func (t *turn) windowFilled() *moment {
	room, used := t.room(t.s, t.Digest.Model), t.Digest.Window
	least := room * t.s.ContextThreshold / 100
	if t.Memo.Filled > 0 {
		least = max(least, t.Memo.Filled+room/fullerShare)
	}
	if t.s.ContextThreshold <= 0 || used < least || t.fresh() || t.now().Sub(t.Memo.FilledAt) < t.s.ContextCooldown {
		return nil
	}
	why := fmt.Sprintf("%d%% of the context is used", min(100, used*100/room))
	return &moment{trigger: sage.ContextThreshold, why: why, full: true}
}

// saveOverdue is the moment at which so much was said since the last save, and since the
// last question, which is one as well if nobody heeded it.
func saveOverdue(t *trail, s Settings) *moment {
	turns := t.Digest.Turns - max(t.Memo.Saved.Turns, t.Memo.Asked.Turns)
	tokens := t.Digest.Output - max(t.Memo.Saved.Output, t.Memo.Asked.Output)
	since := "the session began"
	if t.Memo.Saved.Turns > 0 {
		since = "the last save"
	}
	switch {
	case s.EveryTurns > 0 && turns >= s.EveryTurns:
		return &moment{trigger: sage.Synthesis, why: fmt.Sprintf("%d turns since %s", t.Digest.Turns-t.Memo.Saved.Turns, since)}
	case s.EveryTokens > 0 && tokens >= s.EveryTokens:
		return &moment{trigger: sage.Synthesis, why: strconv.Itoa(t.Digest.Output-t.Memo.Saved.Output) + " tokens of answers since " + since}
	}
	return nil
}

// markReminded takes note that a moment was pointed out.
func (t *turn) markReminded(m *moment) {
	t.Memo.Asked, t.Memo.AskedAt = t.Here(t.Memo.Saved.Checkpoint), t.now().UTC()
	t.remember(m.key)
	t.remember(terms.Phrase(m.said))
	if m.full {
		t.Memo.Filled, t.Memo.FilledAt = t.Digest.Window, t.now().UTC()
	}
}
