package lineedit

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// ErrInterrupted is a Ctrl-C: what was typed is not to be sent.
var ErrInterrupted = errors.New("interrupted")

// An Editor reads from a terminal in raw mode.
type Editor struct {
	in      *bufio.Reader // keys that were typed ahead stay in it
	out     io.Writer
	prompt  string
	size    func() (columns, rows int)
	history []string // the oldest first

	text  string
	at    int    // of the cursor in it, in bytes
	back  int    // how far back in the history text is; 0 is not at all
	draft string // what was typed before that
	shown drawn
}

// New makes an editor. size is asked before each drawing, since a window may change.
func New(in io.Reader, out io.Writer, prompt string, size func() (columns, rows int)) *Editor {
	return &Editor{in: bufio.NewReader(in), out: out, prompt: prompt, size: size}
}

// PasteOn has a terminal say where a paste begins and ends, PasteOff as before.
const (
	PasteOn  = "\x1b[?2004h"
	PasteOff = "\x1b[?2004l"
)

// ReadLine reads until Enter. Its error is [ErrInterrupted] for Ctrl-C, with what was typed, and
// io.EOF for Ctrl-D in an empty line or at the end of the input. The cursor stands below the line then.
func (e *Editor) ReadLine() (string, error) {
	e.text, e.at, e.back, e.draft, e.shown = "", 0, 0, "", drawn{}
	if err := e.edit(); errors.Is(err, ErrInterrupted) {
		return e.text, err
	} else if err != nil {
		return "", err
	}
	if e.text != "" && (len(e.history) == 0 || e.history[len(e.history)-1] != e.text) {
		e.history = append(e.history, e.text)
	}
	return e.text, nil
}

// edit takes keys until one ends the line.
func (e *Editor) edit() error {
	for {
		if e.in.Buffered() == 0 { // else more keys are there, and only what comes of them is drawn
			e.draw()
		}
		k, err := readKey(e.in)
		switch {
		case err != nil:
			e.finish("")
			return err
		case k == enter:
			e.finish("")
			return nil
		case k == ctrlC:
			e.finish("^C")
			return ErrInterrupted
		case k == ctrlD && e.text == "":
			e.finish("")
			return io.EOF
		case k == paste:
			text, err := readPaste(e.in)
			e.insert(text)
			if err != nil {
				return err
			}
		default:
			e.take(k)
		}
	}
}

// finish leaves the line as it stands, with a mark behind it, and goes to the next one.
func (e *Editor) finish(mark string) {
	e.at = len(e.text)
	e.draw()
	_, _ = io.WriteString(e.out, mark+"\r\n")
}

// take takes a key that moves or changes something.
func (e *Editor) take(k key) {
	switch k {
	case left, ctrlB:
		e.at -= e.before()
	case right, ctrlF:
		e.at += e.behind()
	case home, ctrlA:
		e.at = 0
	case end, ctrlE:
		e.at = len(e.text)
	case wordLeft:
		e.at = e.wordStart()
	case wordRight:
		e.at = e.wordEnd()
	case backspace, ctrlH:
		e.cut(e.at-e.before(), e.at)
	case del, ctrlD:
		e.cut(e.at, e.at+e.behind())
	case ctrlU:
		e.cut(0, e.at)
	case ctrlK:
		e.cut(e.at, len(e.text))
	case ctrlW:
		e.cut(e.wordStart(), e.at)
	case up, ctrlP:
		e.recall(e.back + 1)
	case down, ctrlN:
		e.recall(e.back - 1)
	case ctrlL:
		_, _ = io.WriteString(e.out, "\x1b[H\x1b[2J")
		e.shown = drawn{}
	default:
		if r := rune(k); r > 0 {
			e.insert(string(r))
		}
	}
}

// insert puts a text in at the cursor. Tabs are spaces, and what else moves a cursor is left out.
func (e *Editor) insert(text string) {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r != '\n' && unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
	e.text = e.text[:e.at] + text + e.text[e.at:]
	e.at += len(text)
}

func (e *Editor) cut(from, to int) {
	e.text = e.text[:from] + e.text[to:]
	e.at = from
}

// recall shows a line of the history, or what was typed before, which is number 0.
func (e *Editor) recall(back int) {
	if back < 0 || back > len(e.history) {
		return
	}
	if e.back == 0 {
		e.draft = e.text
	}
	if e.back, e.text = back, e.draft; back > 0 {
		e.text = e.history[len(e.history)-back]
	}
	e.at = len(e.text)
}

// behind is how many bytes the character behind the cursor has, 0 at the end.
func (e *Editor) behind() int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(e.text[e.at:], -1)
	return len(cluster)
}

// before is how many bytes the character before the cursor has, 0 at the start.
func (e *Editor) before() (n int) {
	for rest, state := e.text[:e.at], -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n = len(cluster)
	}
	return n
}

func isInWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordStart is where the word before the cursor begins.
func (e *Editor) wordStart() int {
	word := strings.TrimRightFunc(e.text[:e.at], func(r rune) bool { return !isInWord(r) })
	return len(strings.TrimRightFunc(word, isInWord))
}

// wordEnd is where the word behind the cursor ends.
func (e *Editor) wordEnd() int {
	word := strings.TrimLeftFunc(e.text[e.at:], func(r rune) bool { return !isInWord(r) })
	return len(e.text) - len(strings.TrimLeftFunc(word, isInWord))
}

// drawn is what stands on the screen: how wide the rows are above the cursor's, and where that is.
type drawn struct {
	above []int
	col   int
}

// rowsAbove is how many rows lie above the cursor in a window of so many columns: one that was
// made narrower breaks what stood there.
func (d drawn) rowsAbove(columns int) int {
	n := d.col / columns
	for _, w := range d.above {
		n += max(1, (w+columns-1)/columns)
	}
	return n
}

// draw draws the line anew, as far as it fits on the screen around the cursor.
func (e *Editor) draw() {
	columns, height := e.size()
	columns, height = max(columns, 8), max(height, 2)
	rows, row, col := layout(e.prompt, e.text, e.at, columns-1)
	first := max(0, min(row-height/2, len(rows)-height))
	rows, row = rows[first:min(len(rows), first+height)], row-first
	var b strings.Builder
	moveUp(&b, e.shown.rowsAbove(columns))
	b.WriteString("\r\x1b[J" + strings.Join(rows, "\r\n"))
	moveUp(&b, len(rows)-1-row)
	b.WriteString("\r")
	moveRight(&b, col)
	_, _ = io.WriteString(e.out, b.String())
	e.shown = drawn{col: col}
	for _, r := range rows[:row] {
		e.shown.above = append(e.shown.above, uniseg.StringWidth(r))
	}
}
