package compare

import (
	"maps"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
)

// Repeats reports whether newer says nothing that older does not: there is no [Difference],
// and no word, number or sign of newer that older lacks. Where it is not kept, whoever looks
// for one of its words finds older. Words that only hold a sentence together do not count, nor
// inflection, for which nobody searches.
func Repeats(older, newer string) bool {
	return Difference(older, newer) == "" && len(lacking(saidIn(newer), saidIn(older))) == 0
}

// holding are words that a sentence said in another way has, and that change nothing.
var holding = prose.WordSet(`a an the this that these those there here it its itself i we our us you your they their them
	am is are was were be been being have has had having do does did doing done
	and so then as because since of at by for with to in on what which who why where how too very also let`)

// saidIn counts what a text says: stems, and words that are left out of a search but say
// something (only, under, if), and signs, by which C++ is not C, nor -1 the same as 1.
func saidIn(text string) map[string]int {
	out := countsOf(signs().FindAllString(text, -1))
	for _, w := range wordsOf(text) {
		if _, number := numberWords[w]; number || strings.ContainsAny(w, "0123456789") {
			continue // which [Difference] compares
		}
		if stems := terms.Of(w); len(stems) > 0 {
			maps.Copy(out, countsOf(stems))
		} else if !holding()[w] {
			out[w] = 1
		}
	}
	return out
}

// signs are what is neither a word nor stands between words.
var signs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[+#*/\\&@$€£<>=~^|?]|![\w(=]|(?:^|[\s(=])[-−]\d`)
})
