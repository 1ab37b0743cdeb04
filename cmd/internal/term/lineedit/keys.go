package lineedit

import (
	"bufio"
	"strings"
)

// A key is a character that was typed, or less than 0 for one that a terminal sends as a
// sequence.
type key rune

// Keys that are characters.
const (
	ctrlA     key = 1
	ctrlB     key = 2
	ctrlC     key = 3
	ctrlD     key = 4
	ctrlE     key = 5
	ctrlF     key = 6
	ctrlH     key = 8
	ctrlK     key = 11
	ctrlL     key = 12
	enter     key = 13
	ctrlN     key = 14
	ctrlP     key = 16
	ctrlU     key = 21
	ctrlW     key = 23
	escape    key = 27
	backspace key = 127
)

// Keys that are sequences.
const (
	unknown key = -1 - iota
	up
	down
	left
	right
	home
	end
	del
	wordLeft
	wordRight
	paste
)

// sequences are those of xterm and of most others, without the ESC.
var sequences = map[string]key{
	"[A": up, "[B": down, "[C": right, "[D": left, "OA": up, "OB": down, "OC": right, "OD": left,
	"[H": home, "[F": end, "OH": home, "OF": end, "[1~": home, "[4~": end, "[7~": home, "[8~": end, "[3~": del,
	"b": wordLeft, "f": wordRight, "[1;3D": wordLeft, "[1;3C": wordRight, "[1;5D": wordLeft, "[1;5C": wordRight,
	"[200~": paste,
}

func readKey(in *bufio.Reader) (key, error) {
	r, _, err := in.ReadRune()
	if err != nil {
		return 0, err
	}
	switch key(r) {
	case escape:
		return readSequence(in)
	case '\n':
		return enter, nil
	}
	return key(r), nil
}

// readSequence reads what is behind an ESC: a character, or [ or O with more behind it until
// a letter or ~.
func readSequence(in *bufio.Reader) (key, error) {
	var seq strings.Builder
	for {
		r, _, err := in.ReadRune()
		if err != nil {
			return 0, err
		}
		seq.WriteRune(r)
		if n := seq.Len(); n == 1 && (r == '[' || r == 'O') || n > 1 && n < 16 && r < '@' {
			continue
		}
		if k, ok := sequences[seq.String()]; ok {
			return k, nil
		}
		return unknown, nil
	}
}

// readPaste reads a paste to its end. Terminals send a return for the end of a line.
func readPaste(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		r, _, err := in.ReadRune()
		if err == nil {
			b.WriteRune(r)
		}
		text, ended := strings.CutSuffix(b.String(), "\x1b[201~")
		if ended || err != nil {
			text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
			return strings.TrimRight(text, "\n"), err
		}
	}
}
