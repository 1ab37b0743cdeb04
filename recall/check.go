package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// check returns an [InvalidError] with all that is wrong with c, in itself and
// by its template.
func (m *Memory) check(ctx context.Context, c *sage.Checkpoint) ([]string, error) {
	problems := problemsOf(c.Validate())
	if len(problems) > 0 {
		return nil, &InvalidError{problems}
	}
	return nil, nil
}
func (m *Memory) render(ctx context.Context, c *sage.Checkpoint) (string, error) { return "", nil }
