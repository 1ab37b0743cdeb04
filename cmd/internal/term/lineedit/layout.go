package lineedit

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// layout breaks a prompt and a text into rows of at most so many columns, and says in which row
// and column the cursor stands that is before byte at of the text: in the last one behind a full
// row. Rows after a line break are indented as the prompt is.
func layout(prompt, text string, at, columns int) (rows []string, row, col int) {
	line, used := prompt, uniseg.StringWidth(prompt)
	indent := strings.Repeat(" ", used)
	next := func(begin string) {
		rows = append(rows, line)
		line, used = begin, len(begin)
	}
	for rest, state := text, -1; ; {
		offset := len(text) - len(rest)
		if rest == "" {
			if offset == at {
				row, col = len(rows), used
			}
			return append(rows, line), row, col
		}
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if cluster != "\n" && used+width > columns {
			next("")
		}
		if offset == at {
			row, col = len(rows), used
		}
		if cluster == "\n" {
			next(indent)
			continue
		}
		line += cluster
		used += width
	}
}

func moveUp(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\x1b[%dA", n)
	}
}

func moveRight(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\x1b[%dC", n)
	}
}
