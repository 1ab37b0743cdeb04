package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands for something that does not count as speech, in the place where it was.
const (
	CodeWord  = "`code`"
	QuoteWord = "`quote`"
	LinkWord  = "`link`"
)

// Spoken is a sentence with a word in the place of each piece of code, quotation and link, and without
// the marks of emphasis.
func Spoken(s string) string {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		word, skip := "", 0
		switch {
		case r == '`':
			word, skip = CodeWord, codeSpan(s[i:])
		case quotes()[r] != 0 && (r > 0x2fff || !wordRune(before)):
			word, skip = QuoteWord, quoteSpan(s[i:])
		case r == 'h' && (strings.HasPrefix(s[i:], "http://") || strings.HasPrefix(s[i:], "https://")):
			word, skip = LinkWord, len(s[i:])-len(strings.TrimLeftFunc(s[i:], func(r rune) bool { return !unicode.IsSpace(r) && r != ')' }))
		}
		switch {
		case skip > 0:
			b.WriteString(" " + word + " ")
			i, before = i+skip, ' '
			continue
		case r == '*' || r == '_' && !(wordRune(before) && i+1 < len(s) && wordRune(rune(s[i+1]))):
		default:
			b.WriteRune(r)
		}
		i, before = i+n, r
	}
	return b.String()
}
