package cli

import (
	"os"

	"golang.org/x/term"

	"github.com/git-sage/git-sage/gitstore/sage"
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

// visible makes what cannot be seen visible, on one line: text may come from a
// stranger's repository.
func visible(s string) string { return sage.OneLine(s) }

// visibleLines is visible for text that may have several lines.
func visibleLines(s string) string { return sage.Visible(s) }

// oneLine makes a message safe to print.
func oneLine(s string) string { return sage.OneLine(s) }
