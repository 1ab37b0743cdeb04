package trigger

import (
	"slices"

	"github.com/git-sage/git-sage/prose"
)

// A Reading is what the words of one turn tell.
type Reading struct {
	Scores map[Kind]float64 // 0..1; what is not in it is 0
	Best   map[Kind]string  // the sentence that tells most, verbatim, without its label
	found  []match
	person bool

	Opening string // how the turn begins, without code: what a second opinion is asked of; "" if it is not English
	Agreed  bool   // a person agrees to a proposal: Best[Validation] is that

	// sure is how much of Scores[Synthesis] no second opinion can take back: it is labelled, or
	// said in words that mean nothing else.
	sure float64

	// Outright says that the sentence behind Best[Synthesis] names itself a decision, in
	// words that tell more than any of the turn's constraints.
	Outright bool
}

// near is how many sentences tell of one thing together: a short paragraph.
const near = 6

// mostText is how much of a turn is read, in bytes: half of it from the beginning, half
// from the end. Transcripts keep less.
const mostText = 16 << 10

// Read reads a turn, in Markdown; person says who speaks, else the agent does. It takes
// a time that grows with the text, and not beyond mostText.
func Read(text string, person bool) Reading {
	if len(text) > mostText {
		text = text[:mostText/2] + "\n\n" + text[len(text)-mostText/2:]
	}
	list, language := split(text), prose.Language(text)
	marks := make([]weights, len(list))
	r := Reading{Scores: map[Kind]float64{}, Best: map[Kind]string{}, person: person}
	if english(language) {
		r.Opening = opening(list)
	}
	against, rest := map[Kind]float64{}, map[Kind]float64{}
	for i, s := range list {
		var found []match
		if english(language) {
			found = theGrammar().program.run(s)
			r.found = append(r.found, found...)
		}
		marks[i] = weigh(found, s.asks, against, rest)
		signs := prose.SignsOf(s.text, language)
		marks[i].lexical(s, signs, english(language), person)
		marks[i].structured(s.said, signs)
		r.sure = max(r.sure, marks[i].outright())
		marks[i].follow(s)
	}
	for _, k := range Kinds {
		if k.persons() && !person {
			continue
		}
		at, score := strongest(marks, k)
		score *= 1 - against[k]
		if !plain(marks, k) {
			score *= 1 - rest[k]
		}
		if score > 0 {
			if k == Synthesis || k == Constraint { // of a choice, a beginning says most
				at = clearest(marks, k, at)
			}
			r.Scores[k], r.Best[k] = score, list[at].said.Said
			r.Outright = r.Outright || k == Synthesis && marks[at].decides()
		}
	}
	r.sure = min(r.sure, r.Scores[Synthesis])
	r.Outright = r.Outright && (r.sure >= leastSure || r.Scores[Synthesis] > r.Scores[Constraint])
	return r
}

// plainSigns is how much the signs of one sentence tell if it says a thing plainly.
const plainSigns = 0.6

// plain reports whether a sentence says a thing by itself. Who does so and reports what was
// done then ("the fix is in, all tests pass") says it all the same.
func plain(marks []weights, k Kind) bool {
	return slices.ContainsFunc(marks, func(w weights) bool { return together(w[k]) >= plainSigns })
}

// clearest is which of the sentences from at on that tell together tells most alone.
func clearest(marks []weights, k Kind, at int) (best int) {
	most := 0.0
	for i := at; i < min(len(marks), at+near); i++ {
		if x := together(marks[i][k]); x > most+1e-9 {
			best, most = i, x
		}
	}
	return best
}

// together is what signs tell in common.
func together(signs map[string]float64) float64 {
	doubt := 1.0
	for _, x := range signs {
		doubt *= 1 - x
	}
	return 1 - doubt
}

// decides reports whether a sentence says that something is decided, and nothing in it
// takes that back.
func (w weights) decides() bool {
	return max(w[Synthesis]["decided"], w[Synthesis]["decides"]) >= leastDecided
}

// leastDecided is the weight of such a sign, or less than that where it is hedged.
const leastDecided = 0.5

// about is by how much a kind may tell less than another and come before it all the same.
const about = 0.1

// Kind is what the words tell, if some tell enough: of the kinds that reach the threshold and tell
// about as much as the one that tells most, the first of Kinds.
func (r Reading) Kind(threshold float64) Kind {
	most := 0.0
	for _, x := range r.Scores {
		most = max(most, x)
	}
	for _, k := range Kinds {
		if k == Constraint && r.Outright { // what was decided names limits, and is none
			continue
		}
		if x := r.Scores[k]; x >= threshold && (x >= most-about || k == Explicit) {
			return k
		}
	}
	return ""
}

// weights are those of the signs of a sentence, by kind and by the name of the sign.
type weights map[Kind]map[string]float64

// weigh weighs the signs of a sentence, and adds to against what tells against a kind in
// the whole turn, and to rest what does where nothing says it plainly.
func weigh(found []match, asks bool, against, rest map[Kind]float64) weights {
	w, here := weights{}, map[Kind]float64{}
	for _, m := range found {
		s := m.pattern.sign
		for _, k := range s.kinds {
			switch s.how {
			case againstTurn:
				against[k] = max(against[k], s.weight)
			case againstRest:
				rest[k] = max(rest[k], s.weight)
			case againstHere:
				here[k] = max(here[k], s.weight)
			default:
				w.add(k, s.name, s.weight)
			}
		}
	}
	if asks { // what is asked is not known
		here[Synthesis], here[Constraint], here[Validation] = 1, max(here[Constraint], 0.7), max(here[Validation], 0.8)
	}
	for k, x := range here {
		for name := range w[k] {
			w[k][name] *= 1 - x
		}
	}
	return w
}

// byStatement is what a conclusion adds to an agreement in the same breath: that it is one
// with a position.
const byStatement = 0.25

// follow adds what a sentence tells besides.
func (w weights) follow(s sentence) {
	if len(w[Synthesis]) == 0 || s.asks {
		return
	}
	w.add(Validation, "statement", byStatement)
}

// strongest is where the signs of a kind tell most together, within as many sentences as
// are near, and what they tell: chances add up so that each leaves its share of doubt.
func strongest(marks []weights, k Kind) (at int, score float64) {
	for i := range marks {
		if len(marks[i][k]) == 0 {
			continue
		}
		signs := map[string]float64{}
		for _, w := range marks[i:min(len(marks), i+near)] {
			for name, x := range w[k] {
				signs[name] = max(signs[name], x)
			}
		}
		if x := together(signs); x > score+1e-9 {
			at, score = i, x
		}
	}
	return at, score
}
