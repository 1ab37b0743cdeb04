package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A class is what a rune does to the run that it stands in.
type class uint8

const (
	space  class = iota // ends it
	letter              // is part of a word
	digit               // is part of a word or number
	joint               // is part of an identifier if letters or digits stand on both sides
	dense               // is of a script that writes no spaces
)

// A run is a piece of text without a break: a word, an identifier, a path, a
// number, or letters of a script without spaces.
type run struct {
	text  string
	dense bool
	ascii bool
	in    Lang // of the text
}

// scan calls yield with the runs of text in their order.
func scan(text string, yield func(run)) {
	if !isASCII(text) { // full-width letters, ligatures and composed letters become one
		text = norm.NFKC.String(strings.ToValidUTF8(text, " "))
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch classOf(r) {
		case letter, digit:
			end := wordEnd(text, i)
			w := strings.ReplaceAll(text[i:end], ",", "")
			yield(run{text: w, ascii: isASCII(w)})
			i = end
		case dense:
			end := denseEnd(text, i)
			yield(run{text: text[i:end], dense: true})
			i = end
		default:
			i += n
		}
	}
}

// wordEnd is where the word or identifier ends that begins at i.
func wordEnd(text string, i int) int {
	from, prev := i, space
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		c := classOf(r)
		switch {
		case c == letter || c == digit:
		case c == joint && joins(r, prev, text[i+n:]):
		default:
			return i + suffix(text[from:i], text[i:])
		}
		prev = c
		i += n
	}
	return i
}

// joins reports whether r holds together what stands before it and rest. A comma
// and a colon do so between digits only, an apostrophe between letters.
func joins(r rune, prev class, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	c := classOf(next)
	switch r {
	case ',', ':':
		return prev == digit && c == digit
	case '\'', '’':
		return prev == letter && c == letter
	}
	return prev != joint && (c == letter || c == digit)
}

// suffix is the length of what makes C++, C# and the like of a letter or two.
func suffix(word, rest string) int {
	if len(word) > 2 || !isASCII(word) {
		return 0
	}
	n := 0
	switch {
	case len(rest) > 1 && rest[:2] == "++":
		n = 2
	case len(rest) > 0 && rest[0] == '#':
		n = 1
	default:
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(rest[n:]); classOf(r) == letter || classOf(r) == digit {
		return 0
	}
	return n
}

func denseEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if classOf(r) != dense && !unicode.Is(unicode.M, r) {
			return i
		}
		i += n
	}
	return i
}

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_':
		return letter
	case '0' <= r && r <= '9':
		return digit
	case r == '.' || r == '/' || r == '\\' || r == '@' || r == ',' || r == ':' || r == '\'' || r == '’':
		return joint
	case r < utf8.RuneSelf || r == utf8.RuneError:
		return space
	case r == 'ー': // lengthens a kana; Unicode has it in no script
		return dense
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		if unicode.In(r, unicode.L, unicode.M) {
			return dense
		}
		return space
	case unicode.In(r, unicode.L, unicode.M):
		return letter
	case unicode.Is(unicode.N, r):
		return digit
	}
	return space
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
