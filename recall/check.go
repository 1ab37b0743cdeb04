package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// check returns an [InvalidError] with all that is wrong with c, in itself and
// by its template.
func (m *Memory) check(ctx context.Context, c *sage.Checkpoint) error {
	problems := problemsOf(c.Validate())
	t, err := m.template(ctx, c.Template)
	if err == nil {
		err = t.Check(c)
	}
	if err != nil {
		problems = append(problems, err.Error())
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(problems) > 0 {
		return &InvalidError{problems}
	}
	return nil
}
