package cli

import (
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// terminal says whether f is one, and how many columns it has.
func terminal(f *os.File) (bool, int) {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return false, 0
	}
	w, _, err := term.GetSize(fd)
	if err != nil {
		w = 80
	}
	return true, w
}

// visible makes control and bidi characters of s visible, and keeps it on one
// line.
func visible(s string) string {
	clean := true
	for _, r := range s {
		if hides(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case hides(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hides(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// oneLine makes a message safe to print: a name in it may come from a
// stranger's repository.
func oneLine(s string) string { return visible(strings.TrimSpace(s)) }
