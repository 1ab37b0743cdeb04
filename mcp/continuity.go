package mcp

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall"
)

// regain claims what the session lost with the conversation before, to put it before the
// answer. It comes before the call changes anything.
func (c *call) regain(ctx context.Context) {
	m, err := c.memory(ctx)
	if err != nil { // the call says so, if it needs one
		return
	}
	if c.back, err = m.Continuity(ctx); c.back != nil {
		c.bundle, err = c.back.Bundle(ctx, recall.MaxSessionChars)
	}
	if err != nil {
		c.client.logf("continuity: %v", err)
	}
}

// regained puts what the session lost before an answer, if both fit; else it is left for
// the next. It is delivered when the answer has been written.
func (c *call) regained(r protocol.Request, answer string) string {
	if c.back == nil || c.bundle == "" || texts.Size(c.bundle)+texts.Size(answer)+2 > texts.MaxChars {
		return answer
	}
	back := c.back
	c.back = nil
	*r.Settle = func(written bool) {
		if !written {
			back.Release()
			return
		}
		if err := back.Delivered(); err != nil {
			c.client.logf("continuity: %v", err)
		}
	}
	return c.bundle + "\n\n" + answer
}

// runContinuity says what is to be brought back. As with every call, that stands before
// the answer.
func runContinuity(ctx context.Context, c *call) (string, error) {
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	if m.Settings().NoContinuity {
		return "Off: " + recall.ErrNoContinuity.Error() + ".", nil
	}
	if c.back != nil {
		return fmt.Sprintf("Restored above, once: the earlier context of session %s%s.", texts.OneLine(c.session, 60), because(c.back.Marker)), nil
	}
	list, err := m.Store.Markers(false)
	if err != nil {
		return "", err
	}
	if len(list) > 0 {
		return "The context of session " + texts.OneLine(c.session, 60) + " cannot be restored now: another call or process is restoring it, or it cannot be read.", nil
	}
	return "Nothing to restore to session " + texts.OneLine(c.session, 60) + ".", nil
}

// because names the cause that a hook gave; another one is free text, which is for the
// fence.
func because(m gitstore.Marker) string {
	if gitstore.CheckName(m.Reason) != nil {
		return ""
	}
	return " (" + m.Cause() + ")"
}
