package salience

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
)

// mostOpen is how many open questions are kept of each sort: what is left of a day of
// work is no list of wishes.
const mostOpen = 5

// What stands before what was asked last, and before what failed last.
const (
	notAnswered = "Asked last, and not answered: "
	stillFails  = "Still fails: "
)

// A loose end is what somebody left open, with where it stands.
type looseEnd struct {
	text    string
	terms   terms
	stretch int
}

// openQuestions are what nobody answered: what the agent said is open or not known, its last
// question, what the person wants to be reminded of, what they said last if the agent never answered, and what failed and was
// not seen to work.
func (r *reading) openQuestions(failures []transcript.Failure) (out []string) {
	var ends []looseEnd
	for i := range r.list {
		if m := r.list[i].answer(); m != nil && m.Offset >= r.since {
			ends = append(ends, r.left(i, m)...)
		}
	}
	ends = append(ends, r.deferred()...)
	for _, e := range slices.Backward(ends) {
		if len(out) < mostOpen && !r.answered(e) {
			out = addNew(out, e.text)
		}
	}
	for _, t := range last(r.tasks(), mostOpen) {
		out = addNew(out, t)
	}
	if ask := r.unanswered(); ask != "" {
		out = addNew(out, notAnswered+clip(ask, maxRequest))
	}
	kept := 0
	for _, f := range slices.Backward(failures) {
		if f.Fixed == 0 && f.Eased == 0 && (f.Test || f.Tool == "Bash" && f.Offset >= r.recent()) && kept < mostOpen {
			kept++
			out = addNew(out, stillFails+told(f))
		}
	}
	return out
}

// unanswered is what the person asked for last, if the agent never said a word to it: the sentences
// that ask or tell what to do. With nothing else said at all, what they began with is that.
func (r *reading) unanswered() string {
	n := len(r.list)
	if n == 0 || len(r.list[n-1].said) > 0 {
		return ""
	}
	var asks []string
	for _, m := range r.list[n-1].asked {
		for _, s := range m.sentences {
			if s.requests() {
				asks = append(asks, s.Text)
			}
		}
	}
	if len(asks) == 0 && n == 1 {
		return strings.TrimSpace(r.list[0].wants)
	}
	return strings.Join(asks, r.list[n-1].asked[0].blank())
}

// stayed is how many times the person speaks until a command that failed, and is no test, was given
// up: nobody came back to it.
const stayed = 3

// recent is from where on a command that failed is not given up yet.
func (r *reading) recent() int64 {
	if n := len(r.list) - stayed; n >= 0 && len(r.list[n].asked) > 0 {
		return r.list[n].asked[0].Offset
	}
	return 0
}

// left are the sentences of an answer that leave something open. A question counts at the
// end of the conversation, where nobody had the time to answer it.
func (r *reading) left(i int, m *message) (out []looseEnd) {
	last := i == len(r.list)-1
	for _, s := range m.sentences {
		if s.leavesOpen() && s.Label == "" && len(s.topic) < leastAbout {
			if ask, ok := r.list[i].lastAsked(); ok { // "That is still open."
				out = append(out, looseEnd{clip(ask.Text, maxSentence), ask.terms, i})
			}
			continue
		}
		open := s.leavesOpen() || s.Asks && last && !s.idle && !s.words.Has(prose.Offers)
		if open && s.Part != prose.Heading && length(s.Said) >= least && !leadsOver(s.Said) {
			out = append(out, looseEnd{clip(said(s), maxSentence), s.terms, i})
		}
	}
	return out
}

// deferred are what the person wants to ask somebody else first, or to think about.
func (r *reading) deferred() (out []looseEnd) {
	for i, s := range r.list {
		for _, m := range s.asked {
			for _, x := range m.sentences {
				if m.Offset >= r.since && !x.Asks && x.words.Has(prose.Defers) && x.kind != prose.Decision && length(x.Said) >= least {
					out = append(out, looseEnd{clip(x.Text, maxSentence), x.terms, i})
				}
			}
		}
	}
	return out
}

// tasks are what the person asked to be reminded of, unless something was kept for them since.
func (r *reading) tasks() (out []string) {
	for _, s := range r.list {
		for _, m := range s.asked {
			for _, x := range m.sentences {
				if m.Offset >= r.since && m.Offset > r.kept && !x.Asks && x.words.Has(prose.Todo) {
					out = append(out, clip(x.Text, maxSentence))
				}
			}
		}
	}
	return out
}

// lastAsked is the last question of the person in a stretch.
func (s *stretch) lastAsked() (ask sentence, ok bool) {
	for _, m := range s.asked {
		for _, x := range m.sentences {
			if x.Asks {
				ask, ok = x, true
			}
		}
	}
	return ask, ok
}

// takesUp reports whether what the person says first is an answer to what was left open
// right before: no question, no yes and no thanks, and it points there.
func (s *stretch) takesUp() bool {
	if len(s.asked) == 0 || len(s.asked[0].sentences) == 0 {
		return false
	}
	x := s.asked[0].sentences[0]
	return !x.Asks && !x.idle && !x.assents() && !x.leavesOpen() && !x.words.Has(prose.Defers|prose.Someday) && x.words.Has(prose.Backward)
}

// leavesOpen reports whether the agent says that something is not known or not decided yet.
func (s sentence) leavesOpen() bool {
	return s.Role() == prose.Open && s.Part != prose.Heading || !s.Asks && s.kind == prose.Open
}

// answered reports whether something that was left open was taken up later: by what the
// person said next, unless they only ask, or by two words of what the agent said then.
func (r *reading) answered(e looseEnd) bool {
	about := e.terms.topical()
	for i := max(0, e.stretch+1); i < len(r.list); i++ {
		if i == e.stretch+1 && r.list[i].takesUp() {
			return true
		}
		for _, m := range r.list[i].asked {
			for _, s := range m.sentences {
				if n := about.common(s.terms); !s.Asks && (n > 1 || n > 0 && i == e.stretch+1) {
					return true
				}
			}
		}
		for _, m := range r.list[i].said {
			for _, s := range m.sentences {
				if share(about, s.topic) >= 0.4 && about.common(s.topic) > 1 && !s.leavesOpen() {
					return true
				}
			}
		}
	}
	return false
}

// addNew adds a text that is not in a list, as far as words tell.
func addNew(list []string, s string) []string {
	t := termsOf(s)
	for _, old := range list {
		if bare(old) == bare(s) || termsOf(old).says(t) {
			return list
		}
	}
	return append(list, s)
}

// told says of a failure what was tried and what came of it.
func told(f transcript.Failure) string {
	what := f.What
	if what == "" {
		what = f.Tool
	}
	return clip(what, maxRequest) + because(f)
}

// because is the line of an error that says most: the first that is no exit code.
func because(f transcript.Failure) string {
	for line := range strings.Lines(f.Text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "Exit code ") && !strings.HasPrefix(line, "===") {
			return ": " + clip(line, maxRequest)
		}
	}
	return ""
}
