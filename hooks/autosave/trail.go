package autosave

import (
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/trigger"
)

// A trail is what is known of a session, and what a model makes of its words.
type trail struct {
	*session.Trail
	near   func() *float64 // how near the last message is to those before; nil is not known
	encode trigger.Encode  // for a second opinion on what was said; nil is none
}

// fresh reports whether nothing was said since the last save.
func (t *trail) fresh() bool {
	return t.Memo.Saved.Turns > 0 && t.Memo.Saved.Turns == t.Digest.Turns
}

// lastSaid is the person's last message and its offset, which is 0 for none.
func (t *trail) lastSaid() (string, int64) {
	for i := len(t.Digest.Texts) - 1; i >= 0; i-- {
		if x := t.Digest.Texts[i]; x.Person {
			return x.Text, max(1, x.Offset)
		}
	}
	return "", 0
}

// messages is how many messages the conversation has: what was said and answered, and the
// calls of tools.
func (t *trail) messages() int { return 2*t.Digest.Turns + t.Digest.Calls }

// tokens is how long the conversation is.
func (t *trail) tokens() int { return max(t.Digest.Window, t.Digest.Output) }

// A moment is one at which something is worth saving.
type moment struct {
	trigger sage.Trigger
	why     string // for people, without a full stop
	full    bool   // the window is
	before  bool   // what it is about was said before the person's last message
	key     string // of the conclusion, see trigger.Found; "" is none
	said    string // the conclusion; "" is not known
}
