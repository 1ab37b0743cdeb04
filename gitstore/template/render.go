package template

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

const (
	maxWork   = 2 << 20 // values looked at, and bytes of text made; a real template takes some thousand
	roundWork = 16      // what a round of a loop counts for
	maxOutput = 1 << 20 // bytes
)

// Errors of templates that ask for too much.
var (
	ErrTooLong = errors.New("output is longer than 1 MB")
	ErrTooMuch = errors.New("template takes too many steps")
)

// Render returns c in the template's format. It stops with an error when ctx ends, and
// after two million steps or 1 MB of output. The text begins without blank lines and ends
// with one line feed.
func (t *Template) Render(ctx context.Context, c *sage.Checkpoint) (string, error) {
	format := t.Format
	if format == "" {
		format = defaultTemplate().Format
	}
	r := &run{ctx: ctx, data: t.data(c)}
	compiled, err := r.compile(format)
	if err == nil {
		err = compiled.Execute(&r.out, nil)
	}
	if r.err != nil {
		err = r.err
	}
	if err != nil {
		return "", fmt.Errorf("template '%s': %w", t.Name, err)
	}
	return strings.Trim(r.out.String(), "\n") + "\n", nil
}

// A run is one rendering: what the translation of a format calls. After the first error
// its functions do nothing more, and the next text or round ends it.
type run struct {
	ctx  context.Context
	data map[string]any
	out  strings.Builder
	work int
	err  error
}

func (r *run) compile(format string) (*template.Template, error) {
	text, err := translate(format)
	if err != nil {
		return nil, err
	}
	t, err := template.New("").Delims(open, shut).Funcs(template.FuncMap{
		"get":     func(name string) any { return r.data[name] },
		"none":    func() any { return nil },
		"list":    func(all ...any) any { return all },
		"choose":  func(cond, yes, no any) any { return map[bool]any{true: yes, false: no}[truth(cond)] },
		"filter":  func(name string, v any, args ...any) any { return filters()[name].apply(r, v, args) },
		"test":    func(name string, v, arg any) any { return tests()[name](r, v, arg) },
		"loop":    r.loop,
		"keep":    func(all []any, l state) any { return append(all, l.item) },
		"item":    r.item,
		"part":    r.part,
		"operate": r.operate,
		"text":    r.print,
	}).Parse(text)
	if err != nil {
		return nil, &FormatError{1, legible.OneLine(err.Error())}
	}
	return t, nil
}

// spend counts work that is about to be done, and reports whether it may be.
func (r *run) spend(n int) bool {
	if r.work += n; r.work > maxWork {
		r.fail("%w", ErrTooMuch)
	}
	return r.err == nil
}

// fail notes the first error. It returns nil, the value of what failed.
func (r *run) fail(format string, args ...any) any {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	return nil
}

func (r *run) print(v any) (string, error) {
	text := r.text(v)
	if r.out.Len()+len(text) > maxOutput {
		r.fail("%w", ErrTooLong)
	}
	if err := r.ctx.Err(); err != nil {
		r.fail("%w", err)
	}
	r.spend(1 + len(text))
	return text, r.err
}

// A state is where a loop stands: its item, and what a format reads as loop.
type state struct {
	item any
	i, n int
}

func (r *run) loop(names int, over any) []state {
	var rounds []state
	items := r.items(over, names == 2)
	r.spend(roundWork * len(items))
	for i, item := range items {
		rounds = append(rounds, state{item, i, len(items)})
	}
	return rounds
}

// item returns the nth of the values that a loop gives names to.
func (r *run) item(l state, names, n int) (any, error) {
	if !r.spend(roundWork) || names == 1 {
		return l.item, r.err
	}
	pair, _ := l.item.([]any)
	if len(pair) != 2 {
		r.fail("an item of the loop has not two parts")
		return nil, r.err
	}
	return pair[n], nil
}

func (l state) part(key string) any {
	return map[string]any{"index": l.i + 1, "index0": l.i, "first": l.i == 0, "last": l.i == l.n-1, "length": l.n,
		"revindex": l.n - l.i, "revindex0": l.n - l.i - 1}[key]
}
