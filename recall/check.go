package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// check returns an [InvalidError] with all that is wrong with c, in itself and
// by its template. Whether it has all that the template requires is only asked
// of what is complete.
func (m *Memory) check(ctx context.Context, c *sage.Checkpoint, complete bool) error {
	problems := problemsOf(c.Validate())
	t, err := m.template(ctx, c.Template)
	if err == nil && complete {
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
