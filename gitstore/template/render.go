package template

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"

	"github.com/git-sage/git-sage/gitstore/sage"
)

const (
	maxTime   = 2 * time.Second // a real template takes less than a millisecond
	maxSteps  = 100_000         // rounds of loops
	maxOutput = 1 << 20         // bytes
)

// Errors of templates that ask for too much.
var (
	ErrTooLong = errors.New("output is longer than 1 MB")
	ErrTooMuch = errors.New("template takes too many steps")
)

// Render returns c in the template's format. It neither reads files nor runs on
// after it has returned, and stops with an error when ctx ends, after two
// seconds, 100,000 rounds of loops or 1 MB of output. The text begins without blank
// lines and ends with one line feed.
func (t *Template) Render(ctx context.Context, c *sage.Checkpoint) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = "", fmt.Errorf("template '%s': cannot be rendered: %v", t.Name, p)
		}
	}()
	b := newBudget(ctx)
	format := t.Format
	if format == "" {
		format = builtin()[0].Format
	}
	compiled, err := compile(format, b)
	if err == nil {
		out, err = b.run(compiled, t.data(c))
	}
	if err != nil {
		return "", fmt.Errorf("template '%s': %w", t.Name, err)
	}
	return out, nil
}

// A budget is what one rendering may use up.
type budget struct {
	ctx      context.Context
	deadline time.Time
	steps    int
	output   int
	err      error // the first excess
}

func newBudget(ctx context.Context) *budget {
	return &budget{ctx: ctx, deadline: time.Now().Add(maxTime)}
}

// check returns an error when time is up. Every operation of the sandbox calls it.
func (b *budget) check() error {
	if b.err == nil {
		if b.err = b.ctx.Err(); b.err == nil && time.Now().After(b.deadline) {
			b.err = fmt.Errorf("%w: more than %s", ErrTooMuch, maxTime)
		}
	}
	return b.err
}

func (b *budget) step() error {
	if b.steps++; b.steps > maxSteps && b.err == nil {
		b.err = fmt.Errorf("%w: more than %d rounds of loops", ErrTooMuch, maxSteps)
	}
	return b.check()
}

func (b *budget) run(t *exec.Template, data map[string]any) (string, error) {
	var buf bytes.Buffer
	err := t.Execute(&meter{&buf, b}, exec.NewContext(data))
	if b.err != nil {
		return "", b.err
	}
	if err != nil {
		return "", cause(err)
	}
	return strings.Trim(buf.String(), "\n") + "\n", nil
}

// A meter is a writer that ends with the budget.
type meter struct {
	to io.Writer
	b  *budget
}

func (m *meter) Write(p []byte) (int, error) {
	if m.b.output += len(p); m.b.output > maxOutput && m.b.err == nil {
		m.b.err = ErrTooLong
	}
	if err := m.b.check(); err != nil {
		return 0, err
	}
	return m.to.Write(p)
}

// cause returns what went wrong, without what the errors around it quote of the
// tree of nodes.
func cause(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	msg := err.Error()
	if i := strings.LastIndexByte(msg, 0); i >= 0 { // the name of a guard
		if _, rest, ok := strings.Cut(msg[i:], ": "); ok {
			msg = rest
		}
	}
	msg = strings.TrimPrefix(msg, "failed to parse template ")
	return errors.New(sage.OneLine(strings.ToValidUTF8(msg[:min(len(msg), 300)], "")))
}

const rootName = "format"

// compile parses a format into a tree whose operations keep to the budget.
func compile(format string, b *budget) (t *exec.Template, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, fmt.Errorf("format cannot be read: %v", p)
		}
	}()
	if len(format) > maxFormat {
		return nil, fmt.Errorf("format has %d bytes, at most %d are allowed", len(format), maxFormat)
	}
	cfg := config.New()
	cfg.KeepTrailingNewline = true
	if err := checkTokens(format, cfg); err != nil {
		return nil, err
	}
	t, err = exec.NewTemplate(rootName, cfg, onlyRoot(format), sandbox(b))
	if err != nil {
		return nil, fmt.Errorf("format: %w", cause(err))
	}
	return t, guardTree(t.Root(), b)
}

// onlyRoot is a loader that has one template and refuses all others.
type onlyRoot string

// Read returns the template.
func (l onlyRoot) Read(path string) (io.Reader, error) {
	if path != rootName {
		return nil, errors.New("a format cannot load files")
	}
	return strings.NewReader(string(l)), nil
}

// Resolve accepts the root only.
func (l onlyRoot) Resolve(path string) (string, error) {
	if path != rootName {
		return "", errors.New("a format cannot load files")
	}
	return path, nil
}

// Inherit refuses nothing, because nothing can be read through it.
func (l onlyRoot) Inherit(string) (loaders.Loader, error) { return l, nil }
