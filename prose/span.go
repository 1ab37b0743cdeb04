package prose

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// quotes are the marks that open a quotation, and those that close it.
var quotes = sync.OnceValue(func() map[rune]rune {
	return map[rune]rune{
		'"': '"', '“': '”', '”': '”', '„': '“', '«': '»', '»': '«', '‘': '’', '\'': '\'', '「': '」', '『': '』', '《': '》',
	}
})

// brackets hold an aside, whose full stops end nothing.
var brackets = map[rune]rune{'(': ')', '（': '）', '[': ']', '【': '】'}

// How long a quotation or a piece of code in a line may be, and an aside, in bytes: with a
// mark that nobody closed, the rest is still read.
const (
	maxSpan  = 600
	maxAside = 200
)

// span is the length of the code, quotation or aside that s begins with, 0 for none;
// before is the character in front of it.
func span(s string, before rune) int {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r == '`':
		return codeSpan(s)
	case quotes()[r] != 0 && (r > 0x2fff || !wordRune(before)):
		return quoteSpan(s)
	case brackets[r] != 0:
		return bracketSpan(s, r, brackets[r])
	}
	return 0
}

// codeSpan is the length of the code that s begins with, 0 for none: up to a mark as long
// as the one that opens it. A mark that nobody closes is no code.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	most := min(len(s), maxSpan)
	for i := n; n > 0 && i < most; {
		j := strings.IndexByte(s[i:most], '`')
		if j < 0 {
			return 0
		}
		i += j
		m := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if m == n {
			return i + m
		}
		i += m
	}
	return 0
}

// quoteSpan is the length of the quotation that s begins with, 0 for none. An apostrophe
// closes one only where a word ends.
func quoteSpan(s string) int {
	open, n := utf8.DecodeRuneInString(s)
	end := quotes()[open]
	if end == 0 {
		return 0
	}
	for i, r := range s[:min(len(s), maxSpan)] {
		if i < n || r != end && !(open == '“' && r == '"') {
			continue
		}
		to := i + utf8.RuneLen(r)
		after, _ := utf8.DecodeRuneInString(s[to:])
		if i == n || (r == '\'' || r == '’') && wordRune(after) {
			continue
		}
		return to
	}
	return 0
}

// bracketSpan is the length of the aside that s begins with, 0 for one that is not closed.
func bracketSpan(s string, open, end rune) int {
	depth := 0
	for i, r := range s[:min(len(s), maxAside)] {
		switch r {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + utf8.RuneLen(r)
			}
		}
	}
	return 0
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
