package checkpoints

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/save"
)

// runAutosave saves what nobody asked for: where that is not worth it, the answer says
// why, and it is no error.
func runAutosave(ctx context.Context, c *tool.Call) (string, error) {
	c.Args["trigger"], c.Args["thesis"] = c.Args["trigger_event"], c.Args["current_thesis"]
	thought, err := checkpointOf(c, "trigger_event", "current_thesis")
	if err != nil {
		return "", err
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	saved, err := m.Save.Checkpoint(ctx, save.Note{Unasked: true, Draft: gitstore.Draft{Checkpoint: *thought, Automatic: true}})
	if save.Declined(err) {
		return fmt.Sprintf("Not saved: %s. Continue; sage_save_checkpoint saves it anyway.", err), nil
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Saved %s on %s: %s\n", brief.ShortID(saved.ID), saved.RefName(), texts.OneLine(saved.Description, 100))
	aftermath(&b, saved)
	return b.String(), nil
}
