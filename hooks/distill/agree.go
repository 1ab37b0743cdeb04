package distill

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/terms"
)

// A kind is the part of an answer that a claim stands in.
type kind uint8

const (
	finding kind = iota // thesis, evidence and facts
	decision
	failure
	question // and what is open
)

// leastShared is the share of the letters of a claim, three at a time, that its quotation
// has as well. A sentence that was shortened, or whose "it" was spelled out, has more than
// .5; one about something else of the same conversation mostly less than .2.
const leastShared = 0.3

// How many paragraphs before and behind a quotation a claim may have names and numbers from.
const (
	nearBefore = 3
	nearBehind = 1
)

// A claimed is a claim beside the words that it has to agree with.
type claimed struct {
	kind   kind
	text   string
	said   string          // the sentences that the quotation stands in
	near   string          // what was said around them
	person bool            // a person said them
	agreed bool            // a person agreed to them
	from   prose.Lang      // of the sentences
	to     prose.Lang      // of the claim
	words  [2][]prose.Word // of the sentences and of the claim
}

// disagreement names in what a claim says otherwise than was said, as far as that can be
// told without understanding it; "" if it does not:
//
//	apart      they have hardly a word in common
//	unheard    a name, number or piece of code that nobody said thereabouts
//	unsaid     a third of its words, and three at least, nobody said thereabouts
//	speaker    it says that somebody said it who did not
//	denial     it denies what was said, or says what was denied
//	guess      a guess or a question is told as a fact
//	strength   what was allowed is demanded, what holds for some holds for all, or vice versa
//	tense      a plan is told as done, or vice versa
//	pairs      a number of one thing is told of another
//
// and the kinds of [compare.Distorts].
func (c *claimed) disagreement() string {
	if c.text == c.said {
		return ""
	}
	signs := [2]prose.Signs{prose.SignsOf(c.said, c.from), prose.SignsOf(c.text, c.to)}
	switch {
	case shared(c.text, c.said) < leastShared:
		return "apart"
	case c.hasUnheard():
		return "unheard"
	case c.addsWords():
		return "unsaid"
	case signs[1].Has(prose.OfPerson) && !c.person && !c.agreed, signs[1].Has(prose.OfAgent) && c.person:
		return "speaker"
	case c.turns(signs):
		return "denial"
	case c.tellsGuess(signs[1]):
		return "guess"
	case c.strengthens(signs):
		return "strength"
	case c.kind != question && shifts(signs):
		return "tense"
	case c.mispairs():
		return "pairs"
	}
	return compare.Distorts(c.said, c.text)
}

// exact matches what a summary may not change: code spans, numbers with their units, paths
// and identifiers.
var exact = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`[^`]+`" + `|[\pL\pN._/-]*\pN[\pL\pN._/%-]*|\pL+(?:[._/]\pL+)+|\p{Ll}+\p{Lu}\pL*`)
})

// hasUnheard reports whether a claim has a name, a number or code of which nobody spoke
// thereabouts.
func (c *claimed) hasUnheard() bool {
	where := strings.ToLower(c.said + "\n" + c.near)
	for _, name := range exact().FindAllString(c.text, -1) {
		if name = strings.Trim(name, "`.,:;-"); !strings.Contains(where, strings.ToLower(name)) && !strings.Contains(noSpace(where), noSpace(strings.ToLower(name))) {
			return true
		}
	}
	return slices.ContainsFunc(namesIn(c.text, c.to), func(n string) bool { return !strings.Contains(where, n) })
}

// mostAdded is how many words of its own a claim may have in any case: of 100 honest ones none had
// more, but for those of another language or script.
const mostAdded = 2

// addsWords reports whether a third of what a claim says and more is in words that nobody used
// thereabouts, where both are in one language that has words.
func (c *claimed) addsWords() bool {
	if c.from != c.to || c.from == prose.Chinese || c.from == prose.Japanese {
		return false
	}
	near, added := prose.Stated(c.near, c.from), 0
	for _, w := range c.words[1] {
		if len(alike(near, w)) == 0 {
			added++
		}
	}
	return added > mostAdded && 3*added >= len(c.words[1])
}

func noSpace(s string) string { return strings.Join(strings.Fields(s), "") }

// namesIn are the words of a text that are names, in small letters: those with a capital
// inside of a sentence, and Latin ones where another script is written. German begins every
// noun with a capital: there only all capitals, or some within, make a name.
func namesIn(text string, l prose.Lang) (out []string) {
	foreign := l == prose.Chinese || l == prose.Japanese || l == prose.Russian
	for _, s := range prose.Split(text, l) {
		for i, w := range strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' || foreign && r > 0x2e80
		}) {
			first, n := utf8.DecodeRuneInString(w)
			inner := strings.IndexFunc(w[n:], unicode.IsUpper) >= 0
			latin := first < 0x250
			if len(w) > 1 && (inner || foreign && latin || l != prose.German && i > 0 && unicode.IsUpper(first)) {
				out = append(out, strings.ToLower(w))
			}
		}
	}
	return out
}

// turns reports whether a claim denies what was said or says what was denied. A word that is
// denied in one and stands in the other tells; one that only stands in front of what is
// denied tells if what it is denied with is missing in the other.
func (c *claimed) turns(signs [2]prose.Signs) bool {
	said, claim := c.words[0], c.words[1]
	if c.kind == question && signs[1].Has(prose.Pending) && !slices.ContainsFunc(said, isDenied) {
		claim = standing(claim) // "it is not known whether"
	}
	fails := c.kind == failure && signs[0].Has(prose.Fails|prose.Breaks|prose.Remains) // "it did not help"
	for _, w := range claim {
		match := alike(said, w)
		if len(match) == 0 || w.Number || w.Denied != prose.Stands && fails || w.Denied == prose.DeniedWith && c.kind == failure {
			continue
		}
		if slices.ContainsFunc(match, func(o prose.Word) bool { return (o.Denied == prose.Stands) == (w.Denied == prose.Stands) }) {
			continue
		}
		if w.Denied != prose.DeniedWith && match[0].Denied != prose.DeniedWith {
			return true
		}
		of, other, at := claim, said, w.Clause
		if w.Denied == prose.Stands {
			of, other, at = said, claim, match[0].Clause
		}
		if !answered(of, at, other) {
			return true
		}
	}
	return c.kind == finding && c.deniesAnew(signs[0])
}

func isDenied(w prose.Word) bool { return w.Denied != prose.Stands }

// standing are the words of a claim as if none was denied.
func standing(words []prose.Word) []prose.Word {
	out := slices.Clone(words)
	for i := range out {
		out[i].Denied = prose.Stands
	}
	return out
}

// alike are the words that are one with another but for its inflection.
func alike(list []prose.Word, w prose.Word) (out []prose.Word) {
	for _, o := range list {
		if sameWord(o.Text, w.Text) {
			out = append(out, o)
		}
	}
	return out
}

// answered reports whether what a clause denies is denied in the other text as well.
func answered(of []prose.Word, clause int, other []prose.Word) bool {
	for _, w := range of {
		if w.Clause == clause && w.Denied == prose.DeniedOut && slices.ContainsFunc(alike(other, w), isDenied) {
			return true
		}
	}
	return false
}

// deniesAnew reports whether a claim denies something of which nothing was said.
func (c *claimed) deniesAnew(said prose.Signs) bool {
	denied := func(w prose.Word) bool { return w.Denied == prose.DeniedOut }
	if !slices.ContainsFunc(c.words[1], denied) || slices.ContainsFunc(c.words[0], isDenied) ||
		said.Has(prose.Denies|prose.Fails|prose.Breaks|prose.RulesOut|prose.Pending|prose.Limits|prose.TellsConstraint) {
		return false
	}
	return !slices.ContainsFunc(c.words[1], func(w prose.Word) bool { return denied(w) && len(alike(c.words[0], w)) > 0 })
}

// sameWord reports whether two words are one but for what they end with.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	if x, y := terms.Of(a), terms.Of(b); len(x) == 1 && len(y) == 1 && x[0] == y[0] {
		return true
	}
	short, n := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)), 0
	for x, y := []rune(a), []rune(b); n < short && x[n] == y[n]; n++ {
	}
	return n >= 4 && 10*n >= 6*short
}

// tellsGuess reports whether what was a guess is none any more.
func (c *claimed) tellsGuess(claim prose.Signs) bool {
	if c.kind != question && !c.agreed && prose.Asks(c.said) {
		return true
	}
	if c.kind == question && prose.SignsOf(c.said, c.from).Has(prose.Pending) {
		return !prose.Asks(c.text) && !claim.Has(prose.Guesses|prose.Pending|prose.Doubts)
	}
	if c.kind == question || c.agreed || claim.Has(prose.Guesses|prose.Pending|prose.Doubts) {
		return false
	}
	for _, part := range strings.FieldsFunc(c.said, func(r rune) bool { return strings.ContainsRune(",;，；、。！!", r) }) {
		if prose.SignsOf(part, c.from).Has(prose.Guesses) && c.touches(part) {
			return true
		}
	}
	return false
}

// touches reports whether a part of what was said is about what the claim is.
func (c *claimed) touches(part string) bool {
	return slices.ContainsFunc(prose.Stated(part, c.from), func(w prose.Word) bool { return len(alike(c.words[1], w)) > 0 })
}

// strengthens reports whether one of two demands what the other allows, or says of all what
// the other says of some. What must not be may not be: of what is denied nothing is told.
func (c *claimed) strengthens(signs [2]prose.Signs) bool {
	if apart(signs, prose.Wholes, prose.Parts) {
		return true
	}
	return !slices.ContainsFunc(c.words[0], isDenied) && !slices.ContainsFunc(c.words[1], isDenied) && apart(signs, prose.Musts, prose.Mays)
}

// shifts reports whether one tells as done what the other tells as a plan.
func shifts(signs [2]prose.Signs) bool {
	for i := range signs {
		if signs[i].Has(prose.Decides | prose.TellsDecision) {
			signs[i] &^= prose.Done // "it was decided to"
		}
	}
	return apart(signs, prose.Done, prose.Ahead)
}

// apart reports whether one has the one sign alone and the other its counterpart alone.
func apart(signs [2]prose.Signs, a, b prose.Signs) bool {
	only := func(s, sign, not prose.Signs) bool { return s.Has(sign) && !s.Has(not) }
	return only(signs[0], a, b) && only(signs[1], b, a) || only(signs[0], b, a) && only(signs[1], a, b)
}

// mispairs reports whether a number that was said of one thing is told of another that has
// its own: the words around it are those around the other number, and not its own.
func (c *claimed) mispairs() bool {
	if from := movedFrom(c.said); from[0] != "" && slices.ContainsFunc(c.words[1], isNumber(from[0])) && !slices.ContainsFunc(c.words[1], isNumber(from[1])) {
		return true
	}
	for _, n := range c.words[1] {
		if !n.Number || slices.ContainsFunc(c.words[1], func(w prose.Word) bool { return w.Number && w.Part == n.Part && w.Text != n.Text }) {
			continue
		}
		own, others := partsWith(c.words[0], n.Text)
		if len(own) == 0 {
			continue
		}
		ofOwn, ofOthers := 0, 0
		for _, w := range c.words[1] {
			if w.Part != n.Part || w.Number {
				continue
			}
			in, out := len(alike(own, w)) > 0, len(alike(others, w)) > 0
			if in && !out {
				ofOwn++
			}
			if out && !in {
				ofOthers++
			}
		}
		if ofOthers > 0 && ofOwn == 0 {
			return true
		}
	}
	return false
}

// movedFrom are the numbers of "from 2 to 4".
func movedFrom(said string) (out [2]string) {
	if m := moves().FindStringSubmatch(strings.ToLower(said)); m != nil {
		out = [2]string{m[1], m[2]}
	}
	return out
}

var moves = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\bfrom|\bvon|\bde|\bdesde|(?:^|\s)с|(?:^|\s)со|从|由)\s*(\d[\d.,]*)[^\d]{0,12}?(?:\bto|\bauf|à|\ba|\bpara|\sдо|\sна|到|至|改为|降到|升到)\s*(\d[\d.,]*)`)
})

func isNumber(n string) func(prose.Word) bool {
	return func(w prose.Word) bool { return w.Number && w.Text == n }
}

// partsWith are the words of the parts with a number, and of those with others alone.
func partsWith(words []prose.Word, number string) (own, others []prose.Word) {
	with, numbered := map[int]bool{}, map[int]bool{}
	for _, w := range words {
		numbered[w.Part] = numbered[w.Part] || w.Number
		with[w.Part] = with[w.Part] || w.Text == number
	}
	for _, w := range words {
		switch {
		case with[w.Part]:
			own = append(own, w)
		case numbered[w.Part]:
			others = append(others, w)
		}
	}
	return own, others
}

// shared is the share of the letters of a, three at a time, that b has as well; of Chinese
// and Japanese ones, which say more each, two at a time. It knows no language, and no blanks
// between words.
func shared(a, b string) float64 {
	n := 3
	if letters := utf8.RuneCountInString(a); 2*(prose.Width(a)-letters) > letters {
		n = 2
	}
	in := rows(b, n)
	all, both := 0, 0
	for g := range rows(a, n) {
		if all++; in[g] {
			both++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// rows are the rows of n letters of a text.
func rows(s string, n int) map[string]bool {
	var letters []rune
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			letters = append(letters, r)
		}
	}
	out := map[string]bool{}
	for i := 0; i+n <= len(letters); i++ {
		out[string(letters[i:i+n])] = true
	}
	return out
}

// isGood reports whether a sentence that was said can stand for itself: it is whole enough,
// and claims something.
func isGood(s string, l prose.Lang, k kind) bool {
	words := len(strings.Fields(s))
	if words < 3 && prose.Width(s) < 12 || utf8.RuneCountInString(s) > maxText {
		return false
	}
	return k == question || !prose.Asks(s) && !prose.SignsOf(s, l).Has(prose.Offers|prose.Thanks)
}

// oneLine is a sentence as a claim has it.
func oneLine(s string) string { return legible.OneLine(oneSpace(s)) }
