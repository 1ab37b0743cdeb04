package salience

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
)

// A stretch is what a person said, and what the agent did and said until they spoke again.
type stretch struct {
	asked []message
	said  []message // the last one is the agent's answer; what comes before is told at work

	wants string // what the person wants, see [stretch.wanted]
	terms terms  // of that

	opens    bool // it is the first, and asks
	consults bool // it asks what the agent thinks of what was said before
}

// A message is one text of a conversation, sentence by sentence.
type message struct {
	transcript.Text
	language  prose.Lang
	sentences []sentence

	proposes bool // it goes on from its first paragraph to propose something: that is why
	closing  int  // from which sentence on items are of the list that closes it
	options  span // items behind which it says what it is for
	claims   int  // how many of its sentences say how something is
	ways     []way
}

// A span is some sentences in a row, to but for the last.
type span struct{ from, to int }

// shape tells what a message is made of.
func (m *message) shape() {
	for _, s := range m.sentences {
		if s.claims() {
			m.claims++
		}
		m.proposes = m.proposes || s.Block > 0 && (s.kind == prose.Proposal || s.Role() == prose.Proposal || s.words.Has(prose.Ways|prose.Offers))
	}
	m.options = m.listed()
	if !m.Person {
		m.ways = m.findWays()
	}
	m.proposes = m.proposes || m.options.to > 0
	m.closing = len(m.sentences)
	for j, s := range slices.Backward(m.sentences) {
		switch {
		case s.Part == prose.Item:
			m.closing = j
		case s.Part == prose.Heading || m.closing < len(m.sentences) || !s.Asks && !s.leavesOpen(): // behind the list nothing is claimed
			return
		}
	}
}

// listed is the last list before the paragraph that closes a message, where that claims
// something.
func (m *message) listed() (out span) {
	n := len(m.sentences)
	for j, s := range slices.Backward(m.sentences) {
		switch {
		case s.Part == prose.Item:
			if j == n-1 && !m.asksWhich() { // it closes the message itself
				return span{}
			}
			if out.to == 0 {
				out.to = j + 1
			}
			out.from = j
		case out.to > 0:
			if leadsOver(s.Said) && !s.words.Has(prose.Ways|prose.Proposes|prose.TellsProposal) && !m.weighs(out.to) { // it says what they are, and they are no ways
				return span{}
			}
			return out
		case s.Part == prose.Heading || s.Block != m.sentences[n-1].Block || s.Asks || s.kind == prose.Open:
			return span{}
		}
	}
	return out
}

// asksWhich reports whether the list that closes a message stands behind a question, or behind
// what says that there are several ways.
func (m *message) asksWhich() bool {
	for _, s := range slices.Backward(m.sentences) {
		if s.Part != prose.Item {
			return s.Asks || s.words.Has(prose.Ways)
		}
	}
	return false
}

// weighs reports whether a message goes on from a sentence to speak of one of several.
func (m *message) weighs(from int) bool {
	return slices.ContainsFunc(m.sentences[from:], func(s sentence) bool {
		return !s.words.Has(prose.Ways) && (s.kind == prose.Proposal || s.words.Has(prose.First|prose.Second|prose.Third))
	})
}

// stretches divides a conversation where the person begins to speak.
func stretches(texts []transcript.Text) (out []stretch) {
	for _, m := range read(texts) {
		if n := len(out); n == 0 || m.Person && len(out[n-1].said) > 0 {
			out = append(out, stretch{})
		}
		s := &out[len(out)-1]
		if m.Person {
			s.asked = append(s.asked, m)
		} else {
			s.said = append(s.said, m)
		}
	}
	for i := range out {
		out[i].wants = out[i].wanted(i > 0)
		out[i].terms = termsOf(out[i].wants)
		_, asks := out[i].lastAsked()
		out[i].opens = i == 0 && asks && !out[i].says(prose.Requests|prose.Consults)
		out[i].consults = i > 0 && out[i].says(prose.Consults)
	}
	return out
}

// read reads texts sentence by sentence. One that does not tell its language, as "ok", is in
// that of the one before it, and the first in that of the first which does.
func read(texts []transcript.Text) []message {
	out := make([]message, len(texts))
	each(len(texts), func(i int) { out[i] = message{Text: texts[i], language: prose.Language(texts[i].Text)} })
	spoken := prose.Lang("")
	if i := slices.IndexFunc(out, func(m message) bool { return m.language != "" }); i >= 0 {
		spoken = out[i].language
	}
	for i := range out {
		out[i].language = cmp.Or(out[i].language, spoken)
		spoken = out[i].language
	}
	each(len(out), func(i int) {
		for _, s := range whole(prose.Read(out[i].Text.Text)) {
			out[i].sentences = append(out[i].sentences, judged(s, out[i].language, out[i].Person))
		}
		out[i].shape()
	})
	return out
}

// each does something n times, on all processors: a day has some 10,000 sentences.
func each(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// cutOut is what a transcript's reader puts in the place of the middle of a long text.
const cutOut = "[…]"

// whole leaves out the sentences around what was cut out of a text.
func whole(list []prose.Sentence) (out []prose.Sentence) {
	for _, s := range list {
		if !strings.Contains(s.Text, cutOut) {
			out = append(out, s)
		}
	}
	return out
}

// answer is what the agent said last, before the person spoke again; nil is nothing.
func (s stretch) answer() *message {
	if len(s.said) == 0 {
		return nil
	}
	return &s.said[len(s.said)-1]
}
