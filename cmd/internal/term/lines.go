package term

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	xterm "golang.org/x/term"
)

// ErrInterrupted is a Ctrl-C where a line was to be typed.
var ErrInterrupted = errors.New("interrupted")

// lines reads what a person types line by line.
type lines struct {
	t      *Terminal
	file   *os.File // nil is no terminal
	editor *xterm.Terminal
	last   byte // that was read
}

// Lines returns what reads a line that a person types, who may edit it and bring back an earlier
// one. In a pipe it reads the lines as they are, and prompts nobody. Its error is
// [ErrInterrupted] for Ctrl-C, and io.EOF at the end or for Ctrl-D. The terminal is as it was
// before when it returns, or ctx ends.
func (t *Terminal) Lines(prompt string) (next func(ctx context.Context) (string, error)) {
	l := &lines{t: t}
	if t.InputTTY() && t.TTY {
		l.file, _ = t.In.(*os.File)
		l.editor = xterm.NewTerminal(l, prompt)
	}
	return l.next
}

// Read reads from the terminal for the editor of a line, and notes what it was.
func (l *lines) Read(b []byte) (int, error) {
	n, err := l.file.Read(b)
	if n > 0 {
		l.last = b[n-1]
	}
	return n, err
}

// Write writes to the terminal for the editor of a line.
func (l *lines) Write(b []byte) (int, error) { return l.t.Out.Write(b) }

func (l *lines) next(ctx context.Context) (string, error) {
	if l.editor == nil {
		return l.t.ReadLine()
	}
	was, err := xterm.MakeRaw(int(l.file.Fd()))
	if err != nil {
		return "", err
	}
	restore := func() { _ = xterm.Restore(int(l.file.Fd()), was) }
	defer restore()
	defer context.AfterFunc(ctx, restore)()
	if l.t.Width > 0 {
		_ = l.editor.SetSize(l.t.Width, 24) // else it is 80 columns wide
	}
	line, err := l.editor.ReadLine()
	switch {
	case errors.Is(err, io.EOF) && l.last == ctrlC:
		return "", ErrInterrupted
	case errors.Is(err, xterm.ErrPasteIndicator):
		err = nil
	}
	return strings.TrimSpace(line), err
}
