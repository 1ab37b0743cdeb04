package cleanse

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most files hold nothing that a pattern matches, and to read the YAML and Markdown
// of each takes a hundred times as long as to search what is written. But a value
// may be written otherwise than it reads: quoted, folded, with a part of its line
// before it. So what is searched for is the longest word that every match begins with:
// a word is written as it is where nothing is escaped.

// leastHint is how long the word is at least that is searched for. Shorter ones are in
// most texts.
const leastHint = 3

// HintOf is a word, or a part of one, that stands in every text in which re matches; ""
// if there is none.
func HintOf(re *regexp.Regexp) (word string) {
	prefix, _ := re.LiteralPrefix()
	for _, w := range strings.FieldsFunc(prefix, func(r rune) bool { return !ofWord(r) }) {
		if utf8.RuneCountInString(w) >= leastHint && len(w) > len(word) {
			word = w
		}
	}
	return word
}

func ofWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// verbatim reports whether every word of a text, in whatever form it is read, is
// written as it reads: YAML escapes by backslashes, our Markdown by references too.
func verbatim(data []byte) bool {
	return bytes.IndexByte(data, '\\') < 0 && !bytes.Contains(data, []byte("&#")) && !bytes.Contains(data, []byte("&amp;")) && utf8.Valid(data)
}
