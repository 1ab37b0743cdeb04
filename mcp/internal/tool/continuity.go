package tool

import (
	"context"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall"
)

// Regain claims what the session lost with the conversation before, to put it before the
// answer. It comes before the call changes anything.
func (c *Call) Regain(ctx context.Context) {
	m, err := c.Memory(ctx)
	if err != nil { // the call says so, if it needs one
		return
	}
	if c.Back, err = m.Continuity.Claim(ctx); c.Back != nil {
		c.bundle, err = c.Back.Bundle(ctx, recall.MaxSessionChars)
	}
	if err != nil {
		c.Client.Logf("continuity: %v", err)
	}
}

// Regained puts what the session lost before an answer, if both fit; else it is left for
// the next. It is delivered when the answer has been written.
func (c *Call) Regained(r protocol.Request, answer string) string {
	if c.Back == nil || c.bundle == "" || texts.Size(c.bundle)+texts.Size(answer)+2 > texts.MaxChars {
		return answer
	}
	back := c.Back
	c.Back = nil
	*r.Settle = func(written bool) {
		if !written {
			back.Release()
			return
		}
		if err := back.Delivered(); err != nil {
			c.Client.Logf("continuity: %v", err)
		}
	}
	return c.bundle + "\n\n" + answer
}
