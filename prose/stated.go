package prose

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Word is one of those that carry what a statement says. In Chinese and Japanese it is
// two characters that stand together.
type Word struct {
	Text   string // in small letters
	Denied Denial
	Clause int  // which clause it stands in, from 0
	Part   int  // likewise, where "A and B" are two
	Number bool // it begins with a digit
}

// A Denial says how the statement denies a word.
type Denial uint8

const (
	Stands     Denial = iota // not at all
	DeniedWith               // it stands in front of what is denied: "the cause" in "the cause is not the index"
	DeniedOut                // it is denied itself
)

// A wordRow is one or several words in their order.
type wordRow = []string

const (
	rowTurns   = "turns"
	rowNothing = "denies nothing"
	rowRefuses = "refuses"
	rowClauses = "clauses"
	rowJoins   = "joins"
)

var rowLists = []string{rowTurns, rowNothing, rowRefuses, rowClauses, rowJoins}

// Stated are the words of a text in a language, each with whether it is denied. Of a
// language that is not known, the words of English deny.
func Stated(text string, l Lang) []Word {
	x := lexiconOf(l)
	words, _ := x.cut(plainMarks().Replace(text))
	s := stating{x: x, words: words}
	for s.at < len(words) {
		s.step()
	}
	s.settle()
	return s.out
}

// plainMarks takes the marks of code and emphasis away: what they hold counts.
var plainMarks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("`", " ", "**", " ", "__", " ", "\"", " ", "“", " ", "”", " ", "„", " ", "«", " ", "»", " ", "「", " ", "」", " ")
})

// stating walks through the words of a text.
type stating struct {
	x     *lexicon
	words []string
	at    int
	out   []Word

	clause, part int
	from         int  // where the words of the clause begin in out
	turned       bool // an odd number of words that deny came before
	first        int  // where the words behind the first that denies begin; -1 is that none did
	refused      bool // the clause as a whole is denied
	begun        bool
}

func (s *stating) step() {
	if !s.begun {
		s.begun, s.first = true, -1
	}
	w := s.words[s.at]
	switch n := 0; {
	case isBreak(w) || w == ")":
		if !s.withinNumber() {
			s.settle()
		}
		s.at++
	case s.row(rowNothing, &n):
		s.at += n
	case s.row(rowClauses, &n):
		s.settle()
		s.at += n
	case s.row(rowJoins, &n):
		s.part++
		if s.at += n; s.at < len(s.words) && s.row(rowTurns, &n) {
			s.settle()
		}
	case s.row(rowTurns, &n):
		s.turned = !s.turned
		if s.first < 0 {
			s.first = len(s.out)
		}
		s.at += n
	case s.row(rowRefuses, &n):
		s.refused = !s.refused
		s.at += n
	default:
		s.word(w)
		s.at++
	}
}

// withinNumber reports whether a mark stands between two numbers, as in a time of day.
func (s *stating) withinNumber() bool {
	return s.at > 0 && s.at+1 < len(s.words) && strings.ContainsAny(s.words[s.at], ":,") && isNumber(s.words[s.at-1]) && isNumber(s.words[s.at+1])
}

// row reports whether one of a list stands here, and the length of the longest.
func (s *stating) row(list string, n *int) bool {
	*n = 0
	for _, r := range s.x.rows[list] {
		if len(r) > *n && has(s.words[s.at:], r) {
			*n = len(r)
		}
	}
	return *n > 0
}

// deniesAt reports whether a word that denies stands at a place.
func (s *stating) deniesAt(at int) bool {
	n, there := 0, *s
	there.at = at
	return there.row(rowTurns, &n)
}

// word takes up what carries something: no small word, and no character alone.
func (s *stating) word(w string) {
	r, _ := utf8.DecodeRuneInString(w)
	switch {
	case wide(r):
		if s.at+1 == len(s.words) {
			return
		}
		next, _ := utf8.DecodeRuneInString(s.words[s.at+1])
		if !wide(next) || isBreak(s.words[s.at+1]) || smallWide(r) || smallWide(next) || s.deniesAt(s.at+1) {
			return
		}
		w += s.words[s.at+1]
	case unicode.Is(unicode.Cyrillic, r) && utf8.RuneCountInString(w) < 4, len(smallWords()[w]) > 0 || utf8.RuneCountInString(w) < 2 && !isNumber(w) || strings.IndexFunc(w, wordRune) < 0:
		return
	}
	word := Word{Text: w, Clause: s.clause, Part: s.part, Number: isNumber(w)}
	if s.turned {
		word.Denied = DeniedOut
	}
	s.out = append(s.out, word)
}

// settle ends a clause: what stands in front of a word that denies is denied with what is
// behind it, and by itself where nothing is.
func (s *stating) settle() {
	clause := s.out[s.from:]
	if s.first >= 0 {
		front := DeniedWith
		if s.first == len(s.out) && s.turned {
			front = DeniedOut
		}
		for i := range s.out[s.from:s.first] {
			clause[i].Denied = front
		}
	}
	if s.refused {
		for i := range clause {
			if clause[i].Denied == Stands {
				clause[i].Denied = DeniedOut
			} else {
				clause[i].Denied = Stands
			}
		}
	}
	s.from, s.first, s.turned, s.refused = len(s.out), -1, false, false
	s.clause, s.part = s.clause+1, s.part+1
}

// smallWide reports whether a Chinese or Japanese character tells nothing by itself: those
// that join, and the letters that Japanese words end with.
func smallWide(r rune) bool {
	return unicode.Is(unicode.Hiragana, r) || strings.ContainsRune("的了是我们你他她它这那把就也都将在为吧吗呢啊和与及并还再", r)
}

func isNumber(w string) bool { return strings.IndexAny(w, "0123456789") == 0 }
