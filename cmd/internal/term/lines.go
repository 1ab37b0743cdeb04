package term

import (
	"context"
	"io"
	"os"
	"strings"

	xterm "golang.org/x/term"

	"github.com/git-sage/git-sage/cmd/internal/term/lineedit"
)

// ErrInterrupted is a Ctrl-C where a line was to be typed.
var ErrInterrupted = lineedit.ErrInterrupted

// Lines returns what reads a line that a person types, who may edit it and bring back an earlier
// one; of a paste the lines come together. In a pipe it reads the lines as they are, and prompts
// nobody. Its error is [ErrInterrupted] for Ctrl-C, with what was typed, and io.EOF at the end or for Ctrl-D. The
// terminal is as it was before when it returns, or ctx ends.
func (t *Terminal) Lines(prompt string) (next func(ctx context.Context) (string, error)) {
	f, isFile := t.In.(*os.File)
	if !isFile || !t.TTY || !t.InputTTY() || t.Getenv("TERM") == "dumb" {
		return func(context.Context) (string, error) { return t.ReadLine() }
	}
	fd := int(f.Fd())
	editor := lineedit.New(f, t.Out, prompt, func() (columns, rows int) {
		if columns, rows, err := xterm.GetSize(fd); err == nil && columns > 0 {
			return columns, rows
		}
		return 80, 24
	})
	return func(ctx context.Context) (string, error) {
		was, err := xterm.MakeRaw(fd)
		if err != nil {
			return "", err
		}
		_, _ = io.WriteString(t.Out, lineedit.PasteOn)
		restore := func() {
			_, _ = io.WriteString(t.Out, lineedit.PasteOff)
			_ = xterm.Restore(fd, was)
		}
		defer restore()
		defer context.AfterFunc(ctx, restore)()
		line, err := editor.ReadLine()
		return strings.TrimSpace(line), err
	}
}
