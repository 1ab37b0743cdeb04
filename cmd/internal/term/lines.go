package term

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"

	xterm "golang.org/x/term"
)

// ErrInterrupted is a Ctrl-C where a line was to be typed.
var ErrInterrupted = errors.New("interrupted")

// Lines reads what a person types line by line, who may edit a line and bring back an earlier
// one. In a pipe it reads the lines as they are, and prompts nobody.
type Lines struct {
	t      *Terminal
	file   *os.File // nil is no terminal
	editor *xterm.Terminal
	last   byte // that was read
}

// Lines returns a reader of lines with a prompt.
func (t *Terminal) Lines(prompt string) *Lines {
	l := &Lines{t: t}
	if t.InputTTY() && t.TTY {
		l.file, _ = t.In.(*os.File)
		l.editor = xterm.NewTerminal(l, prompt)
	}
	return l
}

// Read reads from the terminal for the editor of a line, and notes what it was.
func (l *Lines) Read(b []byte) (int, error) {
	n, err := l.file.Read(b)
	if n > 0 {
		l.last = b[n-1]
	}
	return n, err
}

// Write writes to the terminal for the editor of a line.
func (l *Lines) Write(b []byte) (int, error) { return l.t.Out.Write(b) }

// Next reads a line. The error is [ErrInterrupted] for Ctrl-C, and io.EOF at the end or for
// Ctrl-D. The terminal is as it was before when it returns, or ctx ends.
func (l *Lines) Next(ctx context.Context) (string, error) {
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

// interrupted is what takes the next Ctrl-C, in place of an end of the process.
var interrupted atomic.Pointer[func()]

// OnInterrupt has the next Ctrl-C call a function once, until release is called. Those behind it
// end the process.
func OnInterrupt(stop func()) (release func()) {
	interrupted.Store(&stop)
	return func() { interrupted.CompareAndSwap(&stop, nil) }
}

// TakeInterrupt reports whether somebody takes a Ctrl-C, and has them take it.
func TakeInterrupt() bool {
	stop := interrupted.Swap(nil)
	if stop != nil {
		(*stop)()
	}
	return stop != nil
}
