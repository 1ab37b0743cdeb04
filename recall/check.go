package recall

import (
	"context"
	"errors"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/template"
)

// check returns an [InvalidError] with all that is wrong with c, in itself and
// by its template, whose own fields it puts in their place. Whether it has all that the
// template requires is only asked of what is complete.
func (m *Memory) check(ctx context.Context, c *sage.Checkpoint, complete bool) error {
	problems := problemsOf(c.Validate())
	t, err := m.template(ctx, c.Template)
	if err == nil {
		if t.Adopt(c); complete {
			err = t.Check(c)
		}
	}
	var missing *template.MissingError
	var own []string
	if errors.As(err, &missing) {
		own = missing.Own
	}
	if err != nil {
		problems = append(problems, err.Error())
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(problems) > 0 {
		return &InvalidError{problems, own}
	}
	return nil
}
