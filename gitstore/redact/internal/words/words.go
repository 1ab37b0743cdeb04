// Package words reads words in a text: letters, blanks, beginnings and ends, lists of words.
package words

import (
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
)

// A List is a list of words between blanks. A search costs less than a map would
// cost each process at its start.
type List string

// Has reports whether w is one of them.
func (l List) Has(w string) bool {
	if w == "" || strings.IndexByte(w, ' ') >= 0 {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(string(l[at:]), w)
		if i < 0 {
			return false
		}
		if at += i; at > 0 && l[at-1] == ' ' && l[at+len(w)] == ' ' {
			return true
		}
	}
}

// Letter returns the length of the letter at s[at], or 0. Marks such as « and “ and blanks
// that UTF-8 begins with C2 or E2 are none.
func Letter(s string, at int) int {
	if at >= len(s) {
		return 0
	}
	c := s[at]
	switch {
	case chars.In(c, chars.Lower|chars.Upper):
		return 1
	case c < 0xc3 || c == 0xe2:
		return 0
	case c < 0xe0 && at+1 < len(s):
		return 2
	case c < 0xf0 && at+2 < len(s):
		return 3
	}
	return 0
}

// Fold appends w in lower case: ASCII and the letters of western Europe.
func Fold(out []byte, w string) []byte {
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' || c >= 0x80 && c <= 0x9e && i > 0 && w[i-1] == 0xc3 {
			c |= 0x20
		}
		out = append(out, c)
	}
	return out
}

// Lower returns a word in lower case as Fold has it.
func Lower(w string) string { return string(Fold(nil, w)) }

// Blanks returns the end of the blanks at s[at], those of no width and no break included.
func Blanks(s string, at, stop int) int {
	for at < stop {
		switch {
		case s[at] == ' ' || s[at] == '\t':
			at++
		case s[at] == 0xc2 && at+1 < stop && s[at+1] == 0xa0:
			at += 2
		case s[at] == 0xe2 && at+2 < stop && s[at+1] == 0x80 && (s[at+2] == 0xaf || s[at+2] == 0x89):
			at += 3
		default:
			return at
		}
	}
	return at
}

// RunOf returns the end of the bytes of s from at on that are in set.
func RunOf(s string, at int, set string) int {
	for at < len(s) && strings.IndexByte(set, s[at]) >= 0 {
		at++
	}
	return at
}

// HasEnd reports whether s ends with one of ends.
func HasEnd(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// HasStart reports whether s begins with one of starts.
func HasStart(s string, starts ...string) bool {
	for _, b := range starts {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}

// HeadOf is the beginning of a text, at most n bytes of whole characters.
func HeadOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// TailOf is the end of a text, at most n bytes of whole characters.
func TailOf(s string, n int) string {
	at := max(0, len(s)-n)
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}
