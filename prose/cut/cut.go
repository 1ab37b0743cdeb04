// Package cut shortens texts and lists for people and models who have little room: behind a word where
// one is near, never inside a character, and with an ellipsis where something is missing.
package cut

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const ellipsis = "…"

// Runes is s in at most n characters. A text that is cut ends behind a word and outside a
// `code span`, with an ellipsis that counts as one of the n. Only where that would leave less
// than a third of the room is a word or a span cut through, and even then no character is
// taken from the marks that belong to it.
func Runes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return words(s, n, func(rune) int { return 1 })
}

// Units is [Runes] with n in the units of UTF-16, as a client in JavaScript counts: a
// character beyond the basic plane, such as an emoji, is two.
func Units(s string, n int) string {
	return words(s, n, func(r rune) int { return max(1, utf16.RuneLen(r)) })
}

// Bytes is the beginning of s in at most n bytes, whole characters, without an ellipsis: what
// a program reads on or keeps, such as the text that an index takes.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Beginning is a text of at most n bytes, cut behind a line or a word if there is one in
// its last half.
func Beginning(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = strings.ToValidUTF8(s[:n], "")
	for _, end := range []string{"\n", " "} {
		if i := strings.LastIndex(s, end); i > n/2 {
			return strings.TrimRight(s[:i], " \n") + " " + ellipsis
		}
	}
	return s + ellipsis
}

// words is s in at most n of what size counts.
func words(s string, n int, size func(rune) int) string {
	used, end := 0, -1
	for i, r := range s {
		if used += size(r); used >= n && end < 0 { // from here on there is no room for the ellipsis
			end = i
		}
		if used > n {
			return tidy(s[:behindWord(s, end)])
		}
	}
	return s
}

func tidy(s string) string { return strings.TrimRight(s, " \t\r\n,;:.") + ellipsis }

// behindWord is where s is best cut, at end or before it.
func behindWord(s string, end int) int {
	least := end / 3
	if open := openSpan(s, end); open >= least {
		end = open
	}
	for i := end; i > least; {
		if between(s, i) {
			return i
		}
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	for end > 0 && clings(s, end) {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	return end
}

// between reports whether a word ends before s[i:]: at a blank, and in scripts that have
// none between words behind every character.
func between(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsSpace(r) || (wordless(r) || wordless(before)) && !clings(s, i)
}

func wordless(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// clings reports whether s[i:] begins with a mark that belongs to the character before it, or
// is joined to it.
func clings(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return mark(r) || unicode.Is(unicode.Cf, before)
}

// mark reports whether r changes the character before it: an accent, a joiner, a tone of skin.
func mark(r rune) bool {
	return unicode.In(r, unicode.M, unicode.Cf) || r >= 0x1f3fb && r <= 0x1f3ff
}

// openSpan is where the code span begins that s[:end] ends in, -1 if it ends in none. A
// backtick without its like behind it is no code.
func openSpan(s string, end int) int {
	for at := 0; at < end; {
		i := strings.IndexByte(s[at:end], '`')
		if i < 0 {
			return -1
		}
		at += i
		fence := ticks(s[at:])
		closed := closing(s[at+fence:], fence)
		if closed < 0 {
			at += fence
			continue
		}
		if next := at + fence + closed + fence; next <= end {
			at = next
		} else {
			return at
		}
	}
	return -1
}

// closing is where exactly so many backticks stand in s, -1 if they do not.
func closing(s string, fence int) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		n := ticks(s[at:])
		if n == fence {
			return at
		}
		at += n
	}
}

// ticks is how many backticks s begins with.
func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// First is the first n of a list, all of it if there are no more.
func First[T any](list []T, n int) []T { return list[:min(n, len(list))] }
