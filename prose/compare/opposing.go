package compare

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
)

const inChoice = "choice"

// A Stance is a thesis and the question that it answers, taken apart once for many comparisons.
type Stance struct {
	question string
	asks     []string // stems of the question
	clauses  []clause
}

// A clause is one statement of a thesis, without the reasons that it gives.
type clause struct {
	text  string
	words []string
	stems []string // of what it is about, sorted
}

// NewStance takes a position apart; question may be "".
func NewStance(question, thesis string) *Stance {
	return &Stance{question, stemSet(wordsOf(question)), clausesOf(thesis)}
}

func stemSet(words []string) []string { return slices.Sorted(maps.Keys(countsOf(content(words, nil)))) }

// MayConcern reports whether a thesis may speak of what the stance does, for who has many and
// takes apart only those: a microsecond each.
func (s *Stance) MayConcern(question, thesis string) bool {
	if question != "" && question == s.question {
		return true
	}
	thesis = strings.ToLower(thesis)
	return slices.ContainsFunc(s.clauses, func(c clause) bool {
		return slices.ContainsFunc(c.stems, func(w string) bool { return strings.Contains(thesis, w[:max(1, len(w)-1)]) }) // a stem may end otherwise than its word
	})
}

// Opposes says in what two stances oppose each other, "" if they do not, as far as words tell:
// numbers, dates, negation, opposite, order or choice.
//
// The first clause of one is compared with those of the other. Two clauses oppose each other if they speak of one case
// (for sessions, under load), and
//
//   - they are the same but for one of the differences of [Statements],
//   - they compare two things the other way round,
//   - or they answer one question that asks to choose, with another choice.
//
// Where in doubt nothing is said: who is alarmed wrongly twice stops listening. Most pairs have
// too little in common and take a microsecond, others a tenth of a millisecond.
func (s *Stance) Opposes(o *Stance) string {
	asked := s.asksSame(o)
	for i := range s.clauses {
		for k := range o.clauses {
			if min(i, k) > 0 { // what a thesis holds stands first
				continue
			}
			x, y := &s.clauses[i], &o.clauses[k]
			if !haveInCommon(x.stems, y.stems, 0.5) && (!asked || i+k > 0) {
				continue
			}
			qx, qy := "", ""
			if asked {
				qx, qy = s.question, o.question
			}
			if how := opposing(x, y, qx, qy); how != "" && (how != inChoice || i+k == 0) {
				return how
			}
		}
	}
	return ""
}

// asksSame reports whether both answer one question.
func (s *Stance) asksSame(o *Stance) bool {
	if s.question == o.question || s.question == "" || o.question == "" {
		return s.question == o.question && s.question != ""
	}
	if !haveInCommon(s.asks, o.asks, 0.75) {
		return false
	}
	how, shared := Statements(s.question, o.question)
	return how == Same && shared >= 0.75
}

// haveInCommon reports whether two sorted sets share at least a part of the smaller one.
func haveInCommon(a, b []string, part float64) bool {
	shared, i, k := 0, 0, 0
	for i < len(a) && k < len(b) {
		switch c := strings.Compare(a[i], b[k]); {
		case c == 0:
			shared, i, k = shared+1, i+1, k+1
		case c < 0:
			i++
		default:
			k++
		}
	}
	return shared > 0 && float64(shared) >= part*float64(min(len(a), len(b)))
}

// mostClauses is how many clauses of a thesis are compared.
const mostClauses = 3

// reason is where a clause begins to give reasons or asides, or to say by how much.
var reason = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[:,(]|\s[-–—]\s|(?i)\b(?:because|since|so that|so|which|as it|by (?:about |some )?\d)`)
})

// untilNow are words that change nothing about what a clause holds now.
var untilNow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:now|yet|already|still|any ?more)\b`) })

func clausesOf(thesis string) (out []clause) {
	for _, s := range prose.Split(thesis, "") {
		for part := range strings.SplitSeq(s, ";") {
			if at := reason().FindStringIndex(part); at != nil {
				part = part[:at[0]]
			}
			part = untilNow().ReplaceAllString(part, "")
			if words := wordsOf(part); len(words) > 1 && len(out) < mostClauses {
				out = append(out, clause{part, words, stemSet(words)})
			}
		}
	}
	return out
}

// Words that begin the case which a clause speaks of. Some do so only where no question asks
// for what stands behind them: which side, where.
var (
	ofCase  = prose.WordSet("for when if during while unless until once under within per")
	ofPlace = prose.WordSet("in on at of")
)

// apart takes a clause apart into what it says and the case of which it says that. What the
// question names is no case of its own.
func apart(words []string, asked string) (core []string, about map[string]int) {
	at := slices.IndexFunc(words, func(w string) bool { return ofCase()[w] || asked == "" && ofPlace()[w] })
	if at < 1 {
		at = len(words)
	}
	about = countsOf(content(words[at:], nil))
	for w := range countsOf(content(wordsOf(asked), nil)) {
		delete(about, w)
	}
	return words[:at], about
}

// opposing is [Stance.Opposes] for two clauses; the questions are "" unless they are one.
func opposing(a, b *clause, asked, askedOther string) string {
	x, aboutX := apart(a.words, asked)
	y, aboutY := apart(b.words, askedOther)
	if !maps.Equal(aboutX, aboutY) {
		return ""
	}
	how, shared := Statements(a.text, b.text)
	switch {
	case how == inNegation && shared > 0.5,
		how == inOpposite && shared > 0.5 && (asked != "" || !areSteps(x, y)),
		how == inNumbers && shared == 1 && asked != "" && areAmounts(x, y),
		how == inDates && shared == 1,
		how == inOrder:
		return how
	case areConverse(x, y):
		return inOrder
	case (how == Other || how == inNames) && asksToChoose(asked) && isOtherChoice(x, y):
		return inChoice
	}
	return ""
}

// ofSteps are words of opposites that hold side by side, or one behind the other: unless they
// answer one question.
var ofSteps = prose.WordSet("open opens close closes read reads write writes push pull first last early late earlier later client clients server servers local remote public private add adds added remove removes removed full empty start stop")

// areSteps reports whether one clause has such a word that the other lacks.
func areSteps(x, y []string) bool {
	alone := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(w string) bool { return ofSteps()[w] && !slices.Contains(b, w) })
	}
	return alone(x, y) || alone(y, x)
}

// areAmounts reports whether the numbers of which two clauses have different ones say how much
// or how often something is: 30 days, 5%, hourly. Phase 1, version 1.2 and 3 of 8 do not.
func areAmounts(x, y []string) bool {
	amounts := func(words, others []string) bool {
		for i, w := range words {
			if slices.Contains(others, w) || len(sortedNumbers(words[i:i+1])) == 0 || numberWords[w] == w || strings.HasSuffix(w, "%") {
				continue
			}
			if i+1 == len(words) || len(terms.Of(words[i+1])) == 0 {
				return false
			}
		}
		return true
	}
	return amounts(x, y) && amounts(y, x)
}

// comparing are the words between what is compared.
var comparing = prose.WordSet("than beats beat outperforms outperform")

// areConverse reports whether two clauses compare the same things the other way round.
func areConverse(x, y []string) bool {
	sides := func(words []string) (left, right map[string]int) {
		at := slices.IndexFunc(words, func(w string) bool { return comparing()[w] })
		if at < 1 {
			return nil, nil
		}
		return countsOf(content(words[:at], nil)), countsOf(content(words[at+1:], nil))
	}
	l, r := sides(x)
	l2, r2 := sides(y)
	for w, n := range l { // faster, in both before the other thing
		if l2[w] == n {
			delete(l, w)
			delete(l2, w)
		}
	}
	for w, n := range r {
		if r2[w] == n {
			delete(r, w)
			delete(r2, w)
		}
	}
	return len(l) > 0 && len(r) > 0 && maps.Equal(l, r2) && maps.Equal(r, l2)
}

// choosing begin a question that has one answer.
var choosing = prose.WordSet("which where who when")

// asksToChoose reports whether a question wants one of several: which policy, tabs or spaces,
// but not which secrets.
func asksToChoose(question string) bool {
	words := wordsOf(question)
	switch {
	case len(words) < 2:
		return false
	case words[0] == "which" && singular(words[1]):
		return false
	}
	return choosing()[words[0]] || slices.Contains(words, "or")
}

// longestChoice is how many words one choice has.
const longestChoice = 2

// article are words with which two clauses may begin that have nothing in common.
var article = prose.WordSet("the a an this that our we i it")

// isOtherChoice reports whether two clauses are the same but for what is chosen: they begin
// alike, and one piece has another in its place.
func isOtherChoice(x, y []string) bool {
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	end := 0
	for end < min(len(x), len(y))-from && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	isChoice := func(words []string) bool {
		return len(words) > 0 && len(words) <= longestChoice && len(terms.Of(strings.Join(words, " "))) > 0
	}
	begins := slices.ContainsFunc(x[:from], func(w string) bool { return !article()[w] })
	return begins && isChoice(x[from:len(x)-end]) && isChoice(y[from:len(y)-end])
}
