package upkeep

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
)

// runContinuity says what is to be brought back. As with every call, that stands before
// the answer.
func runContinuity(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	if m.Stores.Settings().NoContinuity {
		return "Off: " + recall.ErrNoContinuity.Error() + ".", nil
	}
	if c.Back != nil {
		return fmt.Sprintf("Restored above, once: the earlier context of session %s%s.", texts.OneLine(c.Session, 60), because(c.Back.Marker)), nil
	}
	list, err := m.Store.Session.Markers(false)
	if err != nil {
		return "", err
	}
	if len(list) > 0 {
		return "The context of session " + texts.OneLine(c.Session, 60) + " cannot be restored now: another call or process is restoring it, or it cannot be read.", nil
	}
	return "Nothing to restore to session " + texts.OneLine(c.Session, 60) + ".", nil
}

// because names the cause that a hook gave; another one is free text, which is for the
// fence.
func because(m gitstore.Marker) string {
	if gitstore.CheckName(m.Reason) != nil {
		return ""
	}
	return " (" + m.Cause() + ")"
}
