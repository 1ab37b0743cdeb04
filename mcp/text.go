package mcp

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
)

// maxChars is how long an answer may be. Beyond 50,000 characters the client
// puts it into a file and shows the model 2 KB.
const maxChars = 48_000

// size counts s as the client does, in UTF-16: an emoji is two.
func size(s string) (n int) {
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// fit cuts s to a size of n, at the end of a line if one is near, and says how
// to get the rest.
func fit(s string, n int, rest string) string {
	if size(s) <= n {
		return s
	}
	note := "\n[cut here: " + rest + "]"
	room, end := n-size(note), 0
	for i, r := range s {
		if room -= max(1, utf16.RuneLen(r)); room < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	s = s[:end]
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		s = s[:i]
	}
	return s + note
}

// fenced is text in a fence, cut so that an answer with other text beside it
// still fits. A fence may defuse text, which makes it longer.
func fenced(origin, text string, beside int, rest string) string {
	for room := maxChars - beside - 500; ; room -= room / 8 {
		out := brief.Fence(origin, fit(text, room, rest))
		if size(out) <= maxChars-beside || room < 1000 {
			return out
		}
	}
}

// whole are as many of a list, from its beginning, as an answer holds beside other text, in
// words, and how many that is.
func whole[T any](list []T, beside int, text func([]T) string) (string, int) {
	n := len(list)
	for n > 1 && size(text(list[:n])) > maxChars-beside-1000 {
		n -= (n + 7) / 8
	}
	return text(list[:n]), n
}

// shown is s on one line, for a message.
func shown(s string) string { return oneLine(s, 40) }

// oneLine is s on one line of at most n characters, with what a terminal or a
// reader might take for something else made visible.
func oneLine(s string, n int) string {
	return cut.Runes(brief.Defuse(sage.OneLine(cut.Bytes(s, 4*n+100))), n)
}

// plural is "1 file" or "2 files".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
