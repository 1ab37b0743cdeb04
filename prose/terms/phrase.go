package terms

import (
	"strings"
	"unicode"
)

// Words returns the words of text for matching whole phrases: folded, but neither
// split nor stemmed, and with the stop words. Of a script without spaces each
// letter is a word, so that a phrase is found wherever it begins.
func Words(text string) []string {
	var out []string
	scan(text, func(r run) {
		switch {
		case r.dense:
			for _, c := range r.text {
				if !unicode.IsMark(c) { // alone it would be no word
					out = append(out, string(c))
				}
			}
		case isNumber(r.text):
			out = append(out, r.text)
		default:
			for _, w := range strings.FieldsFunc(r.text, isJoint) {
				if w = strings.TrimSuffix(r.fold(w), "'s"); w != "" {
					out = append(out, w)
				}
			}
		}
	})
	return out
}

// Phrase is text as its words with one space between: two phrases are equal if
// these are.
func Phrase(text string) string { return strings.Join(Words(text), " ") }
