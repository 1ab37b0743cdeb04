package term

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	xterm "golang.org/x/term"
)

// Ask puts a question to the person at the terminal; anything but yes is no, and says what did
// not happen.
func (t *Terminal) Ask(question, undone string) bool {
	fmt.Fprintf(t.Err, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(t.In).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	if answer == "" { // Ctrl-D, or the end of the input
		fmt.Fprintln(t.Err)
	}
	t.Say("%s", undone)
	return false
}

// Asks reports whether a person can be asked: both streams are terminals.
func (t *Terminal) Asks() bool {
	f, isFile := t.In.(*os.File)
	return t.TTY && (!isFile || xterm.IsTerminal(int(f.Fd())))
}

// The keys with which a person leaves.
const (
	ctrlC = 3
	ctrlD = 4
)

// ReadKey reads one key, without a return. Ctrl-C and Ctrl-D are q. The terminal is as it
// was before when it returns, or ctx ends.
func (t *Terminal) ReadKey(ctx context.Context) (byte, error) {
	if f, ok := t.In.(*os.File); ok {
		was, err := xterm.MakeRaw(int(f.Fd()))
		if err != nil {
			return 0, err
		}
		restore := func() { _ = xterm.Restore(int(f.Fd()), was) }
		defer restore()
		defer context.AfterFunc(ctx, restore)()
	}
	var b [1]byte
	if _, err := io.ReadFull(t.In, b[:]); err != nil {
		return 0, err
	}
	if b[0] == ctrlC || b[0] == ctrlD {
		return 'q', nil
	}
	return b[0], nil
}

// ReadLine reads a line and nothing behind it: that may be for an editor.
func (t *Terminal) ReadLine() (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		_, err := io.ReadFull(t.In, b)
		if err != nil && (err != io.EOF || len(line) == 0) {
			return "", err
		}
		if err != nil || b[0] == '\n' {
			return strings.TrimSpace(string(line)), nil
		}
		line = append(line, b[0])
	}
}

// InputTTY reports whether a person sits at standard input.
func (t *Terminal) InputTTY() bool {
	f, ok := t.In.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}
