package compare

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
)

// How two statements about the same thing stand to one another, see [Statements].
const (
	Same       = "same"
	Other      = ""
	inNumbers  = "numbers"
	inDates    = "dates"
	inNegation = "negation"
	inOpposite = "opposite"
	inStrength = "strength"
	inNames    = "names"
	inOrder    = "order"
)

// Statements says how two statements stand to one another, of which a model thinks
// that they are near:
//
//	same      each says what the other says, as far as words tell
//	numbers, dates, negation, opposite, strength, names, order
//	          they are the same but for that: both can hardly hold
//	""        anything else: each says something of its own
//
// Two that differ in what they speak of are of the last kind, whatever their numbers:
// a queue has its limit, and another has another. Where in doubt nothing is said.
// shared is how much of what they are about they have in common, 0 to 1.
func Statements(a, b string) (how string, shared float64) {
	a, b = withMonth(a), withMonth(b)
	x, y := wordsOf(a), wordsOf(b)
	d := differing(a, b, x, y)
	shared = 1 - float64(len(d.gone)+len(d.fresh))/float64(max(1, d.all))
	switch how = d.how(); {
	case how == Other && d.names == nil && areTurned(x, y):
		how = inOrder
	case how == Other && d.names == nil && !d.isElse(x, y):
		how = Same
	case how != Other && (len(d.gone) > 0 && len(d.fresh) > 0 || len(d.gone)+len(d.fresh) > max(1, d.all/3)):
		how = Other
	}
	return how, shared
}

// A distinction is what two texts do not share.
type distinction struct {
	kinds       []string       // of differences other than in names
	names       []string       // that one has and the other lacks
	one         bool           // it is one name in the place of another
	gone, fresh map[string]int // stems of the first and the second alone, but for what kinds and names stand for
	all         int            // stems of the longer one
}

// how names the one kind of difference; Other if there is none, or several.
func (d *distinction) how() string {
	switch {
	case len(d.kinds) > 0 && len(d.names) == 0:
		return d.kinds[0]
	case len(d.kinds) == 0 && d.one:
		return inNames
	case len(d.kinds) > 0:
		d.names = append(d.names, d.kinds...)
	}
	return Other
}

// longestCompared bounds the words of two texts whose order is compared, as their
// product: a millisecond.
const longestCompared = 400_000

// isElse is [saysElse] for stems that are counted already.
func (d *distinction) isElse(x, y []string) bool {
	if len(x)*len(y) > longestCompared {
		return len(d.fresh)+len(d.gone) > 0
	}
	return len(d.fresh)+len(d.gone) > max(1, d.all/3) || len(d.fresh) > 0 && len(d.gone) > 0 && 10*common(x, y) >= 6*max(len(x), len(y))
}

func differing(a, b string, x, y []string) *distinction {
	d := &distinction{}
	from, to := swappedNames(a, b)
	d.names, d.one = slices.Concat(from, to), len(from) == 1 && len(to) == 1
	ours, theirs := countsOf(content(x, from)), countsOf(content(y, to))
	d.all = max(len(ours), len(theirs))
	d.gone, d.fresh = lacking(ours, theirs), lacking(theirs, ours)
	d.kinds = append(d.kinds, numbersApart(x, y)...)
	if refuses(x) != refuses(y) {
		d.kinds = append(d.kinds, inNegation)
	}
	if dropped := d.dropOpposites(); dropped || opposeInStops(x, y) {
		d.kinds = append(d.kinds, inOpposite)
	}
	if differInClass(x, y, demanding(), allowing()) || differInClass(x, y, allOf(), someOf()) {
		d.kinds = append(d.kinds, inStrength)
	}
	return d
}

// refusing are the words of [denying] that turn a whole statement round.
var refusing = prose.WordSet("not no never none nothing nobody neither nor cannot without avoid avoids stop dont doesnt cant wont")

// refuses reports whether a statement is turned round. "Never without" demands what
// "without" alone leaves out: the two cancel each other.
func refuses(words []string) bool {
	open := 0
	for _, w := range words {
		switch {
		case w == "without" && open > 0:
			open--
		case countOf([]string{w}, refusing()) > 0:
			open++
		}
	}
	return open > 0
}

// opposeInStops reports whether two texts differ in a pair of opposites that are stop
// words, on and off, before and after: among the stems, which say what a text is about,
// there are none.
func opposeInStops(x, y []string) bool {
	isStem := func(w string) bool { return len(terms.Of(w)) > 0 }
	ours, theirs := slices.DeleteFunc(slices.Clone(x), isStem), slices.DeleteFunc(slices.Clone(y), isStem)
	return haveOpposites(ours, theirs)
}

// numbersApart tells of numbers, or of dates, that stand in the place of others. A text
// that has more of them only says more.
func numbersApart(x, y []string) []string {
	ours, theirs := countsOf(sortedNumbers(x)), countsOf(sortedNumbers(y))
	gone, fresh := lacking(ours, theirs), lacking(theirs, ours)
	if len(gone) == 0 || len(fresh) == 0 {
		return nil
	}
	for w := range gone {
		if !isDate(w) {
			return []string{inNumbers}
		}
	}
	return []string{inDates}
}

// isDate reports whether a word that [sortedNumbers] knows is a day, a month or a date.
func isDate(w string) bool {
	if strings.ContainsAny(w, "0123456789") {
		return strings.EqualFold(w, monthMay) || strings.Count(w, "-") == 2 || strings.Count(w, "/") == 2 || strings.Count(w, ".") == 2 && len(w) >= 8
	}
	return dayWords()[w]
}

var dayWords = prose.WordSet(`january february march april june july august september october november december
	monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday`)

// withMonth writes the month of May so that it is not taken for the verb.
func withMonth(s string) string { return may().ReplaceAllString(s, "${1}"+monthMay+"$2") }

const monthMay = "05-May"

var may = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d\.? |\b(?:[Ii]n|[Bb]y|[Oo]f|[Uu]ntil|[Ss]ince|[Aa]fter|[Bb]efore|[Ee]arly|[Ll]ate) )May\b(,? \d)?`)
})

// content are the stems of words that are neither numbers nor names nor what denies,
// demands or allows: of what a text is about.
func content(words, names []string) (out []string) {
	for _, w := range words {
		_, number := numberWords[w]
		if number || strings.ContainsAny(w, "0123456789") || countOf([]string{w}, denying()) > 0 || slices.Contains(names, w) ||
			demanding()[w] || allowing()[w] || allOf()[w] || someOf()[w] {
			continue
		}
		out = append(out, terms.Of(w)...)
	}
	return out
}

// dropOpposites takes the words of a pair of opposites out of what differs.
func (d *distinction) dropOpposites() (any bool) {
	has := func(s map[string]int, words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return s[w] > 0 })
	}
	drop := func(s map[string]int, words []string) {
		for _, w := range words {
			delete(s, w)
		}
	}
	for _, p := range opposites() {
		for _, p := range [][2][]string{p, {p[1], p[0]}} {
			if has(d.gone, p[0]) && has(d.fresh, p[1]) {
				drop(d.gone, p[0])
				drop(d.fresh, p[1])
				any = true
			}
		}
	}
	return any
}

// swappedNames are the names that one text has and the other lacks, in lower case. The
// word at the beginning of a sentence counts as one if another stands in its place and
// both could be.
func swappedNames(a, b string) (from, to []string) {
	inA, inB := namesOf(a), namesOf(b)
	from, to = namesBeyond(inA, inB), namesBeyond(inB, inA)
	if len(from)+len(to) > 0 || len(inA) == 0 || len(inB) == 0 || !inA[0].first || !inB[0].first {
		return from, to
	}
	x, y := inA[0].word, inB[0].word
	rest := wordsOf(a)[1:]
	if x != y && couldBeSubject(x, rest) && couldBeSubject(y, rest) && slices.Equal(rest, wordsOf(b)[1:]) {
		return []string{x}, []string{y}
	}
	return nil, nil
}

// namesBeyond are the names in list that the others are not, nor begin a sentence with.
func namesBeyond(list, others []name) (out []string) {
	for _, n := range list {
		same := func(o name) bool { return o.word == n.word }
		if !n.first && !slices.ContainsFunc(others, same) && !slices.Contains(out, n.word) {
			if _, number := numberWords[n.word]; !number && !strings.ContainsAny(n.word, "0123456789") {
				out = append(out, n.word)
			}
		}
	}
	return out
}

// couldBeSubject is [couldBeName] for the first word of a statement: one that ends as a
// plural is a name all the same where the verb behind it is in the singular (Redis holds).
func couldBeSubject(w string, rest []string) bool {
	if len(rest) > 0 && singular(rest[0]) && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		w = strings.TrimSuffix(w, "s")
	}
	return couldBeName(w)
}

// singular reports whether a word may be a verb in the third person singular.
func singular(w string) bool { return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") }

// couldBeName reports whether a word does not end as names seldom do.
func couldBeName(w string) bool {
	for _, end := range []string{"s", "ing", "ion", "ment", "ness", "ity", "ed", "ance", "ence"} {
		if strings.HasSuffix(w, end) {
			return false
		}
	}
	return !denying()[w] && !allOf()[w] && !someOf()[w] && !stopsSentence()[w]
}

// stopsSentence are words that begin a sentence and are no names.
var stopsSentence = prose.WordSet("the a an this that it we i you he she they our my your their use do keep run put set make let when if where what who how in on at for from to with by as")
