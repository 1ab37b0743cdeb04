// Package spelling writes letters beyond ASCII as people do who lack them, for names and ids.
package spelling

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainLetters spells out letters that are no ASCII letter with an accent.
var plainLetters = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE",
		"ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "þ", "th", "ı", "i")
})

// umlauts are how German is written without its own letters: München is Muenchen.
var umlauts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")
})

// Unaccented takes accents off letters, and spells out those that are no letter with an accent.
// Letters of other scripts stay.
func Unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(plainLetters().Replace(s)))
}

// Umlauts spells umlauts out as German does.
func Umlauts(s string) string { return umlauts().Replace(norm.NFC.String(s)) }
