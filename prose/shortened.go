package prose

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// never are abbreviations that end no sentence; perhaps are those that may end one, if
// what follows begins with a capital.
var (
	never = WordSet("e.g i.e vs cf approx ca incl excl resp fig figs eq dr mr mrs ms prof st esp viz " +
		"z.b d.h u.a o.ä bzw inkl exkl ggf ggfs evtl vgl abb bspw sog zzgl mind usf zb s.o s.u " +
		"p.ex ex env chap mme m.p.ej ej núm num sr sra srta pág dra " +
		"т.е напр рис см стр ст гл др.у т.к т.н гг")
	perhaps = WordSet("etc usw al inc ltd corp a.m p.m u.s std max min art sec para no nr tab aprox т.д т.п др г тыс млн руб мин сек pp")
)

// unitMarks are units behind a number, some of which are abbreviations elsewhere: "Ms. Doe".
var unitMarks = WordSet("ms s h m min sec")

// months begin a date behind a German ordinal: "3. Mai".
var months = WordSet("januar februar märz april mai juni juli august september oktober november dezember quartal sprint versuch schritt anlauf")

// leaders stand before a German ordinal: "am 3. Mai", "der 2. Versuch".
var leaders = WordSet("am vom zum bis ab seit der die das den dem des im beim jeder jeden jedes dieser diesen unser")

// WordSet is a list of words, set apart by blanks, as a set, which is made when it is first
// asked for.
func WordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			out[w] = true
		}
		return out
	})
}

// Abbreviated reports whether a word, without its full stop, is an abbreviation: "e.g", "x".
func Abbreviated(word string) bool {
	lower := strings.ToLower(word)
	return never()[lower] || perhaps()[lower] || utf8.RuneCountInString(word) == 1 && lower != "i"
}

// shortened reports whether the full stop at i ends an abbreviation, an ordinal or the
// number of an item, and no sentence.
func (p *splitter) shortened(i int) bool {
	before, word := lastWord(p.text[p.from:i])
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(p.text[i+1:], " \t\u00a0"))
	lower := strings.ToLower(word)
	switch {
	case word == "" || next == utf8.RuneError:
		return false
	case strings.Trim(word, "0123456789") == "":
		return strings.TrimSpace(before) == "" || p.language == German && len(word) < 3 && p.ordinal(before, i, next)
	case unitMarks()[lower] && behindNumber(before): // "after 900 ms. Then"
		return !unicode.IsUpper(next)
	case never()[lower]:
		return true
	case lower == "no" || lower == "nr" || lower == "№": // "No. 5" is a number, "No. Five of them" is not
		return unicode.IsDigit(next)
	case perhaps()[lower]:
		return !unicode.IsUpper(next)
	case utf8.RuneCountInString(word) == 1:
		return initial(before, word, p.text[i+1:], next)
	}
	return false
}

// behindNumber reports whether a text ends with a number.
func behindNumber(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \u00a0\u202f"))
	return unicode.IsDigit(r)
}

// initial reports whether a single letter with a full stop is an abbreviation or a part of
// one: "z. B.", "т. е.", "p. ej.", "J. Doe". "Option B." and "so do I." are none.
func initial(before, word, after string, next rune) bool {
	r, _ := utf8.DecodeRuneInString(word)
	head, last := lastWord(strings.TrimRight(strings.TrimRight(before, " \u00a0"), "."))
	paired := strings.HasSuffix(strings.TrimRight(before, " \u00a0"), ".") && utf8.RuneCountInString(last) == 1
	switch {
	case paired && strings.ContainsRune("дпp", r): // "и т. д.", "и т. п."
		return !unicode.IsUpper(next)
	case paired:
		return true
	case unicode.IsUpper(r):
		return unicode.IsUpper(next) && (strings.TrimSpace(head+last) == "" || word != "I" && !lettered()[strings.ToLower(last)] && !opens(after))
	}
	return strings.ContainsRune("cdeopsuvzgбгдепсртч", r)
}

// lettered are words that a letter stands behind which is no initial: "Option B."
var lettered = WordSet("option options variant variante variants plan step version class type group team point case phase tier level appendix exhibit opción opção schritt fall punkt klasse gruppe étape classe cas вариант пункт")

// opens reports whether a text begins with a word that any sentence may begin with, so that
// it is no name.
func opens(text string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(text, " \u00a0"), " ")
	return len(smallWords()[strings.ToLower(strings.TrimRight(word, ".,;:!?"))]) > 0
}

// ordinal reports whether a number with a full stop is one of a row, in German.
func (p *splitter) ordinal(before string, i int, next rune) bool {
	_, leader := lastWord(strings.TrimSpace(before))
	follower, _, _ := strings.Cut(strings.TrimLeft(p.text[i+1:], " \u00a0"), " ")
	return unicode.IsLower(next) || leaders()[strings.ToLower(leader)] || months()[strings.ToLower(strings.TrimRight(follower, ".,;:"))]
}

// lastWord cuts a text before its last word.
func lastWord(s string) (before, word string) {
	i := strings.LastIndexAny(s, " \t\u00a0\u202f(（\"“„«*_[")
	if i < 0 {
		return "", s
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return s[:i+n], s[i+n:]
}
