package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// BriefOptions say how much of a checkpoint a brief shows.
type BriefOptions struct {
	Full      bool // every field
	Summary   bool // the most valuable first, cut at MaxTokens
	MaxTokens int  // 0 is no limit
	MaxChars  int  // 0 is no limit
}

// Brief renders c, with its template if it has one, as the Markdown that puts
// it back into an agent's context.
func (m *Memory) Brief(ctx context.Context, c *sage.Checkpoint, o BriefOptions) (string, error) {
	return "", nil
}
func (m *Memory) check(ctx context.Context, c *sage.Checkpoint) ([]string, error) {
	return nil, problemsErr(c)
}

func problemsErr(c *sage.Checkpoint) error {
	if p := problemsOf(c.Validate()); len(p) > 0 {
		return &InvalidError{p}
	}
	return nil
}
