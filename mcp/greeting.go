package mcp

import (
	"context"

	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall"
)

// Clients with hooks put what is remembered in front of a session when it starts.
// For others it stands before the answer of the session's first call, once.

// greet finds out what the session should be told, before the call changes anything.
func (c *call) greet(ctx context.Context) {
	c.s.mu.Lock()
	known := c.s.known
	c.s.known = c.session
	c.s.mu.Unlock()
	if known == c.session {
		return
	}
	text, err := c.greeting(ctx)
	if err != nil && c.err == nil { // else the call says so
		c.s.log.Printf("greet: %v", err)
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.held = text
	if err != nil {
		c.s.known = ""
	}
}

// greeting is what a session is told that no hook has told anything; "" if there is
// nothing. A session that was told is known as one that has begun, also to the server
// that follows this one.
func (c *call) greeting(ctx context.Context) (string, error) {
	m, err := c.memory(ctx)
	if err != nil || m.Store.Begun() || m.Store.Enabled() != nil || !m.Injects() {
		return "", err
	}
	o, err := m.Open(ctx, recall.MaxSessionChars)
	if err != nil || o.Text == "" {
		return "", err
	}
	c.noteGiven(m, o.Recalled)
	c.noteShown(m, o.Shown...)
	if err := m.Store.Begin(ctx); err != nil { // a read-only repository can still be read
		c.s.log.Printf("begin: %v", err)
	}
	return o.Text, nil
}

// greeted puts what the session should be told before an answer, if both fit; else it
// waits for the next.
func (s *session) greeted(answer string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == "" || texts.Size(s.held)+texts.Size(answer) > texts.MaxChars {
		return answer
	}
	answer = s.held + "\n\n" + answer
	s.held = ""
	return answer
}
