package tool

import (
	"context"

	"github.com/git-sage/git-sage/recall"
)

// Clients with hooks put what is remembered in front of a session when it starts.
// For others it stands before the answer of the session's first call, once.

// Greet finds out what the session should be told, before the call changes anything.
func (c *Call) Greet(ctx context.Context) {
	if !c.Client.IsNew(c.Session) {
		return
	}
	text, err := c.greeting(ctx)
	if err != nil && c.err == nil { // else the call says so
		c.Client.Logf("greet: %v", err)
	}
	c.Client.Hold(text, err != nil)
}

// greeting is what a session is told that no hook has told anything; "" if there is
// nothing. A session that was told is known as one that has begun, also to the server
// that follows this one.
func (c *Call) greeting(ctx context.Context) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil || m.Store.Session.Begun() || m.Store.Repo.Enabled() != nil || !m.Continuity.Injects() {
		return "", err
	}
	o, err := m.Opening.Open(ctx, recall.MaxSessionChars)
	if err != nil || o.Text == "" {
		return "", err
	}
	c.NoteGiven(m, o.Recalled)
	c.NoteShown(m, o.Shown...)
	if err := m.Store.Session.Begin(ctx); err != nil { // a read-only repository can still be read
		c.Client.Logf("begin: %v", err)
	}
	return o.Text, nil
}
