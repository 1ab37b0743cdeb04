package hooks

import (
	"fmt"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A moment is one at which something is worth saving.
type moment struct {
	trigger sage.Trigger
	why     string // for people, without a full stop
	full    bool   // the window is
	key     string // of the conclusion, see trigger.Found; "" is none
	said    string // the conclusion; "" is not known
}

// moment is what the session has come to that is worth saving and was not pointed out
// yet; nil for nothing. What would be lost comes first.
func (e *event) moment(t *trail, s Settings) *moment {
	if m := e.filled(t, s); m != nil {
		return m
	}
	if e.now().Sub(t.memo.AskedAt) < s.Cooldown {
		return nil
	}
	for _, m := range []*moment{e.recognised(t, s), counted(t, s)} {
		if m != nil && e.deep(t, m) {
			return m
		}
	}
	return nil
}

// again is how much fuller the window is, as a share of what the client will use, when
// the same is said again of one that nothing was saved of.
const again = 10

// filled is the moment at which the window is as full as the threshold says.
func (e *event) filled(t *trail, s Settings) *moment {
	room, used := e.room(s, t.digest.Model), t.digest.Window
	least := room * s.ContextThreshold / 100
	if t.memo.Filled > 0 {
		least = max(least, t.memo.Filled+room/again)
	}
	if s.ContextThreshold <= 0 || used < least || t.fresh() || e.now().Sub(t.memo.FilledAt) < s.ContextCooldown {
		return nil
	}
	why := fmt.Sprintf("%d%% of the context is used", min(100, used*100/room))
	return &moment{trigger: sage.ContextThreshold, why: why, full: true}
}

// fresh reports whether nothing was said since the last save.
func (t *trail) fresh() bool {
	return t.memo.Saved.Turns > 0 && t.memo.Saved.Turns == t.digest.Turns
}

// counted is the moment at which so much was said since the last save, and since the
// last question, which is one as well if nobody heeded it.
func counted(t *trail, s Settings) *moment {
	turns := t.digest.Turns - max(t.memo.Saved.Turns, t.memo.Asked.Turns)
	tokens := t.digest.Output - max(t.memo.Saved.Output, t.memo.Asked.Output)
	since := "the session began"
	if t.memo.Saved.Turns > 0 {
		since = "the last save"
	}
	switch {
	case s.EveryTurns > 0 && turns >= s.EveryTurns:
		return &moment{trigger: sage.Synthesis, why: fmt.Sprintf("%d turns since %s", t.digest.Turns-t.memo.Saved.Turns, since)}
	case s.EveryTokens > 0 && tokens >= s.EveryTokens:
		return &moment{trigger: sage.Synthesis, why: strconv.Itoa(t.digest.Output-t.memo.Saved.Output) + " tokens of answers since " + since}
	}
	return nil
}

// told takes note that a moment was pointed out.
func (e *event) told(t *trail, m *moment) {
	t.memo.Asked, t.memo.AskedAt = t.here(t.memo.Saved.Checkpoint), e.now().UTC()
	t.remember(m.key)
	if m.full {
		t.memo.Filled, t.memo.FilledAt = t.digest.Window, e.now().UTC()
	}
}
