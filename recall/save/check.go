package save

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/gitstore/template"
)

// check returns an [InvalidError] with all that is wrong with c, in itself and
// by its template, whose own fields it puts in their place. Whether it has all that the
// template requires is only asked of what is complete.
func (sv *Saver) check(ctx context.Context, c *sage.Checkpoint, complete bool) error {
	problems := problemsOf(validate.Checkpoint(c))
	t, err := sv.templates.Get(ctx, c.Template)
	if err == nil {
		if t.Adopt(c); complete {
			err = t.Check(c)
		}
	}
	var missing *template.MissingError
	var own []string
	thesis := false
	if errors.As(err, &missing) {
		own, thesis = missing.Own, slices.Contains(missing.Fields, "thesis")
	}
	if err != nil {
		problems = append(problems, err.Error())
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(problems) > 0 {
		return &InvalidError{problems, own, thesis}
	}
	return nil
}

// An InvalidError says what is wrong with a checkpoint that was to be saved:
// one problem for each field, which it names. Nothing was saved.
type InvalidError struct {
	Problems []string
	Missing  []string // fields of the template's own that it needs
	Thesis   bool     // the template needs a thesis
}

func (e *InvalidError) Error() string { return strings.Join(e.Problems, "; ") }

// problemsOf are the lines of an error that joins several.
func problemsOf(err error) []string {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []string
		for _, e := range joined.Unwrap() {
			out = append(out, problemsOf(e)...)
		}
		return out
	}
	return []string{err.Error()}
}
