package recall

import (
	"regexp"
	"slices"
	"sync"
)

// nowWords ask for what holds now, where several things held one after the other.
// "Recently" and "now" alone do not: they are in questions about events and in
// commands ("now write the test").
var nowWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(current(ly)?|latest|newest|most recent|up[- ]to[- ]date|at the moment|presently|nowadays|these days|right now|as of (now|today))\b`)
})

// dated is a question about a moment, which it names.
var dated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(19|20)[0-9]{2}\b`) })

// asksForNow reports whether a question wants the newest of several answers.
func asksForNow(text string) bool {
	return nowWords().MatchString(text) && !dated().MatchString(text)
}

// nearBest is how much of the best a candidate must have to be about the same thing:
// the mean of its shares of the best meaning and of the best words; where there are
// words alone, of these.
//
// On MemoryCode (rules stated and changed over 20 sessions, "What is the current rule
// for …?") the newest rule stands above all outdated ones in 95% of the questions, and
// is among the first 5 in 94%; with .45 in 97 and 90%, with .55 in 91 and 95%; without
// in 37 and 95%. Ordering by time whatever was asked costs LoCoMo, where nothing was
// replaced, .04 to .14 of nDCG@10; asking first costs it less than .001.
const (
	nearBest      = 0.50
	nearBestWords = 0.55
)

// newestFirst puts the candidates near the best first, by time, those that have one.
func newestFirst(list []Scored) []Scored {
	var meaning, words float64
	for i := range list {
		meaning, words = max(meaning, list[i].Meaning), max(words, list[i].keyword)
	}
	if words == 0 {
		return list
	}
	var near, rest []Scored
	for _, s := range list {
		share, enough := s.keyword/words, nearBestWords
		if meaning > 0 && s.Vector {
			share, enough = (share+s.Meaning/meaning)/2, nearBest
		}
		if share >= enough && !s.Meta.Updated.IsZero() {
			near = append(near, s)
		} else {
			rest = append(rest, s)
		}
	}
	slices.SortStableFunc(near, func(a, b Scored) int { return b.Meta.Updated.Compare(a.Meta.Updated) })
	return append(near, rest...)
}

// sameThing reports whether two texts speak of the same thing: their vectors are near each
// other, not only near a question.
func (r *Ranking) sameThing(a, b []float32) bool {
	if r.Calibration == nil || len(a) != len(r.Calibration.Texts) || len(b) != len(a) {
		return false
	}
	return centre{r.Calibration.Texts, r.Calibration.Texts}.cosine(a, b) >= sameThing
}

const sameThing = 0.60
