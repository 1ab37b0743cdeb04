package salience

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// leastAbout is how many terms a request has at least that says what it is about: "can you
// check that?" does not.
const leastAbout = 3

// isAbout reports whether a request says what it is about. One of two words may, as in "Why
// do logins time out?", unless it points to something that was said before, or goes on with it.
// A question that a conversation begins with may be of one; one that asks what the agent thinks
// of what was said before is about nothing else.
func (s *stretch) isAbout() bool {
	if s.consults {
		return false
	}
	n := len(s.terms.topical())
	if s.opens && n > 0 {
		return true
	}
	return n >= leastAbout || n == leastAbout-1 && !s.says(prose.Points|prose.Routine)
}

// says reports whether a person says something with one of the signs.
func (s *stretch) says(signs prose.Signs) bool {
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if x.words.Has(signs) {
				return true
			}
		}
	}
	return false
}

// question is the request that a thesis answers: of those that begin a piece of work and came
// before it the one that shares most with what was found then, up to the next. It is "" if there
// is none.
func (r *reading) question(thesis finding, found []finding) string {
	best, most := "", 0
	list := r.openings(found)
	for n, i := range list {
		s, end := &r.list[i], len(r.list)
		if n+1 < len(list) {
			end = list[n+1]
		}
		if i > thesis.stretch {
			break
		}
		shared := 1 + 2*s.terms.common(thesis.terms)
		if end > thesis.stretch { // the thesis was found on the way from there
			shared += 2 + s.terms.common(cameTo(found, i, end))
		}
		if shared > most {
			best, most = s.wants, shared
		}
	}
	if s := r.list[thesis.stretch]; most > 0 && termsOf(best).common(thesis.terms) == 0 && s.isAbout() && s.asksFor() && !s.continues() && s.terms.common(termsOf(thesis.text)) > 0 {
		best = s.wants // a question by the way, which this answers
	}
	return clip(best, maxQuestion)
}

// leastOpening is how long a request is at least that begins another piece of work by itself: a
// short question goes on with what was spoken of, see length.
const leastOpening = 45

// openings are the stretches with which a piece of work begins: the first that says what it is
// about, and those that ask for something of which little was spoken of since the last. What
// answers the agent begins nothing, nor does a question to what it said or a word in passing.
func (r *reading) openings(found []finding) (out []int) {
	spoken := terms{}
	for i := range r.list {
		s := &r.list[i]
		if r.opensWork(i, spoken) {
			out, spoken = append(out, i), terms{}
		}
		for _, list := range [][]message{s.asked, s.said} {
			for _, m := range list {
				for _, x := range m.sentences {
					for w := range x.topic {
						spoken[w] = true
					}
				}
			}
		}
	}
	for i := 0; len(out) == 0 && i < len(r.list); i++ { // how it began is not known any more
		if s := &r.list[i]; s.isAbout() && s.asksFor() && !r.isStatement(i, found) && !s.isPassed() {
			out = append(out, i)
		}
	}
	return out
}

// opensWork reports whether a piece of work begins with a stretch, of what was spoken since the last.
func (r *reading) opensWork(i int, spoken terms) bool {
	s := &r.list[i]
	about, least := s.terms.topical(), leastAbout
	if s.says(prose.Points) { // "fix it, but ..."
		least++
	}
	switch {
	case !s.isAbout() || s.isPassed() && !s.asksFor():
		return false
	case r.isFirst(i):
		return true
	case s.lengthAsked() < leastOpening:
		return false
	case s.says(prose.Shifts) && (s.asksFor() || !s.continues()):
		return true
	default:
		return s.asksFor() && !s.continues() && len(about)-about.common(spoken) >= max(least, len(about)/2+1)
	}
}

// lengthAsked is how long that is of what a person wants which asks or tells what to do, see length;
// all of it if nothing does.
func (s *stretch) lengthAsked() (n int) {
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if x.requests() {
				n += length(x.Said)
			}
		}
	}
	return cmp.Or(n, length(s.wants))
}

// isSmall reports whether a person makes small talk, and wants nothing, and whether they joke.
func (s *stretch) isSmall() (is, jests bool) {
	n := 0
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if !x.idle || x.Asks || x.words.Has(prose.Requests|prose.Tasks|prose.Assents|prose.Agrees) {
				return false, false
			}
			n++
			jests = jests || x.jests()
		}
	}
	return n > 0, jests
}

// isFirst reports whether a session begins with a stretch, and nothing of it was saved before.
func (r *reading) isFirst(i int) bool {
	return i == 0 && len(r.list[0].asked) > 0 && r.list[0].asked[0].Offset >= r.since
}

// isPassed reports whether a greeting is answered with courtesies and questions alone: nothing was
// asked of the agent yet.
func (s *stretch) isPassed() bool {
	if len(s.asked) == 0 || len(s.asked[0].sentences) == 0 || !s.asked[0].sentences[0].idle {
		return false
	}
	for _, m := range s.said {
		for _, x := range m.sentences {
			if !x.Asks && !x.idle && !x.words.Has(prose.Thanks) && length(x.Said) >= least {
				return false
			}
		}
	}
	return len(s.said) > 0
}

// asksFor reports whether what a person wants is asked, told to be done, or a trouble that they
// speak of first.
func (s *stretch) asksFor() bool {
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if x.requests() {
				return true
			}
		}
	}
	return len(s.terms.topical()) > leastAbout && s.says(prose.Breaks|prose.Fails)
}

// continues reports whether a person begins with an answer to what was said before, or points to it.
func (s *stretch) continues() bool {
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if length(x.Said) < least && !x.assents() { // "hm."
				continue
			}
			return (x.assents() || x.corrects() || x.words.Has(prose.Backward)) && !x.words.Has(prose.Tasks|prose.Requests)
		}
	}
	return false
}

// isRequest reports whether a person asks for something in a stretch: in so many words, by what
// they begin with, or the agent went to work on it. "Petra does that." is none.
func (r *reading) isRequest(i int) bool {
	return r.isFirst(i) || r.list[i].asksFor() || len(r.list[i].asked) > 0 && r.worked(i)
}

// isStatement reports whether all that a person says in a stretch is kept as what they said.
func (r *reading) isStatement(i int, found []finding) bool {
	for _, m := range r.list[i].asked {
		for _, s := range m.sentences {
			if s.Asks {
				return false
			}
		}
	}
	clear, led := false, false
	for _, f := range found {
		if f.stretch == i {
			clear, led = clear || f.person && !f.faint, led || !f.person
		}
	}
	return clear || r.states(i, found) && !led || r.corrects(i) // "the healthcheck flaps" states something, and is answered
}

// states reports whether something is kept of what a person says in a stretch.
func (r *reading) states(i int, found []finding) bool {
	return slices.ContainsFunc(found, func(f finding) bool { return f.stretch == i && f.person })
}

// cameTo are the terms of what the agent found from a stretch on, up to another.
func cameTo(found []finding, from, to int) terms {
	out := terms{}
	for _, f := range found {
		if f.stretch >= from && f.stretch < to && !f.person {
			for w := range f.terms {
				out[w] = true
			}
		}
	}
	return out
}

// wanted is what the person wants in a stretch: of several messages the first that asks or tells
// what to do, else the first that says anything. Two of them are never one request.
func (s *stretch) wanted(answers bool) (wants string) {
	for _, m := range s.asked {
		text, asks := m.wanted(answers)
		if asks {
			return text
		}
		wants = cmp.Or(wants, text)
	}
	return wants
}

// wanted is what a message wants: all that it says if that is short, else the sentences that ask.
// A thank you and what is to be kept want nothing, and a yes only what is asked for behind it,
// where it answers something.
func (m *message) wanted(answers bool) (wants string, does bool) {
	var all, asks []string
	for _, x := range m.sentences {
		if x.Part == prose.Heading || x.idle || !x.Asks && x.words.Has(prose.Remember|prose.Always|prose.Todo) {
			continue
		}
		all = append(all, x.Text)
		if x.Asks || x.requests() && !x.assents() {
			asks = append(asks, x.Text)
		}
	}
	agreed := slices.ContainsFunc(m.sentences, func(x sentence) bool { return x.assents() && !x.idle && (answers || len(m.sentences) == 1) })
	if whole := strings.Join(all, m.blank()); !agreed && (length(whole) <= maxQuestion || len(asks) == 0) {
		return whole, len(asks) > 0
	}
	return strings.Join(asks, m.blank()), len(asks) > 0
}
