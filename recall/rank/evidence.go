package rank

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index"
)

// Evidence is how much the words that a prompt and a text share say for it that the
// prompt is about the text: the sum of what each tells, in nats, which is -ln of how
// many texts have the word by chance.
//
// A store of ten items knows little of that, and one of thousands knows it best. So
// the share of its texts that have a word is blended with the share of English texts
// that do, as if it held blend more of those: "deploy" tells much in a store of five
// items, and next to nothing in one where each item is about deploying.
//
// Words that are shared by chance grow in number with the prompt. They count 1 when
// they are leastEvidence and a shareEvidence of all that the prompt tells. On LoCoMo
// knowledge without names, at 5% of foreign prompts, 50% of own prompts get a right
// item, and with the share of the best possible BM25 score in its place 44%; on the
// pairs that are built in 80% and 73%. Of foreign prompts put together by twos, fours
// and eights 4 to 6% recall something, 1 to 4%, and none.
const (
	leastEvidence = 6.0
	shareEvidence = 0.2
	blend         = 100
)

// A lexicon is what the words of one prompt are worth in one store: found out once, for
// all candidates.
type lexicon struct {
	phrase string // its words, as keywords are compared with them
	found  *index.Result
	told   []float64 // by each term, in nats
	idf    []float64 // of each, as often as it is there
	all    float64   // that the terms tell together
	best   float64   // the keyword score of a text in which each stands very often

	patterns *patterns

	small func() map[string]bool // the terms that any text of its language has
}

func lexiconOf(prompt string, found *index.Result) *lexicon {
	l := &lexicon{phrase: terms.Phrase(prompt), found: found, patterns: newPatterns(prompt)}
	l.small = sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for _, w := range prose.SmallWords(prompt) {
			for _, t := range terms.Of(w) {
				out[t] = true
			}
		}
		return out
	})
	for _, t := range found.Terms {
		tells, idf := told(found, t), float64(t.Count)*t.IDF
		l.told, l.idf = append(l.told, tells), append(l.idf, idf)
		l.all += tells
		l.best += idf * (Keywords.K1 + 1)
	}
	return l
}

// evidence returns that of a hit, as a share of what counts 1.
func (l *lexicon) evidence(h *index.Hit) float64 {
	var shared, idf float64
	for _, i := range h.Matched {
		shared += l.told[i]
		idf += l.idf[i]
	}
	if idf <= 0 {
		return 0
	}
	// Words in different parts of a long text say less than in one, as do words in
	// long parts; the keyword score knows.
	shared *= min(1, h.Keyword/idf)
	return min(1, shared/(leastEvidence+shareEvidence*l.all))
}

// leastTelling is what a word tells, in nats, that one text in fifteen has: "deploy" and 登录
// tell more, "best" and "new" less.
const leastTelling = 2.7

// telling reports whether a hit has a word that few texts have, and that is none which
// any text of the prompt's language has: a small store does not know how usual "warum" is.
func (l *lexicon) telling(h *index.Hit) bool {
	return slices.ContainsFunc(h.Matched, func(i int) bool { return l.told[i] >= leastTelling && !l.small()[l.found.Terms[i].Text] })
}

// share is the keyword score of a hit as one of the best.
func (l *lexicon) share(h *index.Hit) float64 {
	if l.best <= 0 {
		return 0
	}
	return min(h.Keyword/l.best, 1)
}

// told is what a word tells, in nats.
func told(found *index.Result, t index.Term) float64 {
	return nats(t.Units, found.Units, usual(t.Text))
}

// nats is what a word tells that so many of some texts have, and a share of all texts.
func nats(units, of int, share float64) float64 {
	return -math.Log((float64(units) + .5 + blend*share) / (float64(of) + 1 + blend))
}

// frequent are the stems of the most frequent English words, one a line, the most
// frequent first. They are of the vocabulary of the embedded models, which is in that
// order; `make models` writes them.
//
//go:embed common.txt
var frequent string

var commonRank = sync.OnceValue(func() map[string]int { return ranksOf(frequent) })

// ranksOf are the ranks of stems that stand one a line, from 1 for the first.
func ranksOf(stems string) map[string]int {
	ranks := make(map[string]int, 2048)
	for stem := range strings.Lines(stems) {
		ranks[strings.TrimSuffix(stem, "\n")] = len(ranks) + 1
	}
	return ranks
}

// usual is the share of short English texts that have a word. By Zipf's law a word is
// as frequent as the reciprocal of its rank; what is not common is taken for a rare
// word, two letters of a script without blanks for a common one, and a single ideograph,
// which is part of many words, for a more common one.
func usual(term string) float64 {
	const rare, letters, ideograph = 30000, 300, 100
	rank, ok := commonRank()[term]
	switch {
	case ok:
	case utf8.RuneCountInString(term) == 2 && len(term) > 2:
		rank = letters
	case isIdeograph(term):
		rank = ideograph
	default:
		rank = rare
	}
	return zipf(rank)
}

// zipf is the share of short texts that have the word of a rank.
func zipf(rank int) float64 {
	const in, first = 15, 20
	return min(1, in/float64(rank+first))
}

func isIdeograph(term string) bool {
	r, n := utf8.DecodeRuneInString(term)
	return n == len(term) && unicode.Is(unicode.Han, r)
}
