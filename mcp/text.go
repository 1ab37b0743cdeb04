package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// maxChars is how long an answer may be. Beyond 50,000 characters the client
// puts it into a file and shows the model 2 KB.
const maxChars = 48_000

// fit cuts s to n characters, at the end of a line if one is near, and says
// how to get the rest.
func fit(s string, n int, rest string) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	note := "\n[cut here: " + rest + "]"
	runes := []rune(s)[:n-utf8.RuneCountInString(note)]
	s = string(runes)
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		s = s[:i]
	}
	return s + note
}

// brief is s on one line, for a message.
func brief(s string) string { return oneLine(s, 40) }

// oneLine is s on one line of at most n characters, with what a terminal or a
// reader might take for something else made visible.
func oneLine(s string, n int) string {
	if len(s) > 4*n+100 {
		s = strings.ToValidUTF8(s[:4*n+100], "")
	}
	r := []rune(sage.OneLine(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

func short(id string) string { return id[:min(8, len(id))] }

// plural is "1 file" or "2 files".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
