package salience

import (
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/transcript"
)

// A Session is what is known of a conversation.
type Session struct {
	Digest *transcript.Digest
	First  string    // what the person asked first; "" if that is not known
	Since  time.Time // what was said until then is saved; zero if nothing is
	From   int64     // the same as an offset in the transcript, where that is known; else 0

	// What of the session was saved before, nil if nothing: the last checkpoint that
	// somebody thought about, and the recovery behind it.
	Last, Recovery *sage.Checkpoint

	// Shown is what the session began with where it saved nothing: what stands on its line.
	// Who tells it again says nothing new. nil is nothing.
	Shown *sage.Checkpoint

	Summary string // the client's own, of what it took out of the conversation since; "" is none

	Threshold float64 // salience_threshold; 0 is Threshold
}

// How long things may be, in characters, and how many there are.
const (
	maxQuestion = 400
	maxThesis   = 500
	maxSentence = 400
	maxRequest  = 160
	maxSummary  = 2000
	mostPoints  = 16
	mostAsked   = 12
	mostFiles   = 100
)

// Checkpoint is what would be lost of a session, with a trigger such as Recovery or
// SessionEnd; nil if there is nothing new that is worth it. It holds no confidence:
// nobody thought about it.
//
// A recovery stands beside Last, and takes over what an older recovery has. Any
// other, as of the end of a session, takes the place of Last, and so it keeps its thesis
// and adds what came after.
func Checkpoint(s Session, trigger sage.Trigger) *sage.Checkpoint {
	n := s.news()
	if !n.worth() {
		return nil
	}
	thesis := n.thesis(s.First)
	c := &sage.Checkpoint{
		CoreQuestion: s.question(n, thesis), Thesis: thesis, KeyEvidence: n.evidence(),
		UniqueContributions: n.found(), OpenQuestions: openQuestions(n.texts, n.failures), ReasoningTrace: n.trace(s.Summary),
		FilesExplored: first(s.Digest.FilesExplored(), mostFiles), FilesChanged: first(s.Digest.FilesChanged(), mostFiles),
		CodeRefs: first(s.Digest.CodeRefs(), mostFiles), MessageCount: s.Digest.Turns, TokenEstimate: s.Digest.Window,
		Trigger: trigger,
	}
	if s.Recovery != nil {
		takeOver(c, s.Recovery)
	}
	if trigger != sage.Recovery && s.Last != nil {
		keep(c, s.Last)
	}
	return c
}

// question is what it is all about: what was so before, or what the person asked that the
// thesis answers, if that says anything without what was so before.
func (s Session) question(n news, thesis string) string {
	switch {
	case s.Last != nil && s.Last.CoreQuestion != "":
		return s.Last.CoreQuestion
	case s.Shown != nil && s.Shown.CoreQuestion != "" && goesOn().MatchString(s.First):
		return s.Shown.CoreQuestion
	}
	return clip(n.asked(s.First, thesis), maxQuestion)
}

// mostlyShared is how many words a later request must share with an answer that the first
// one has nothing of.
const mostlyShared = 2

// asked is what the person asked for that shares most words with an answer: a session
// begins with one thing and goes on with another. Of equals it is what was asked first.
func (n news) asked(first, answer string) string {
	best, most := first, max(shared(first, answer), mostlyShared-1)
	for _, t := range n.texts {
		if k := shared(t.Text, answer); t.Person && k > most && !corrects(t.Text) {
			best, most = t.Text, k
		}
	}
	return best
}

// shared counts the words of one text that another has.
func shared(a, b string) (n int) {
	k := known{}
	for _, w := range words(b) {
		k[w] = true
	}
	for _, w := range union(nil, words(a)) {
		if k[w] {
			n++
		}
	}
	return n
}

// takeOver adds what an older recovery has: it will not be shown any more.
func takeOver(c, old *sage.Checkpoint) {
	if c.CoreQuestion == "" {
		c.CoreQuestion = old.CoreQuestion
	}
	c.KeyEvidence = last(union(append([]string{old.Thesis}, old.KeyEvidence...), c.KeyEvidence), 2*mostPoints)
	c.UniqueContributions = last(union(old.UniqueContributions, c.UniqueContributions), mostPoints)
	if old.ReasoningTrace != "" {
		c.ReasoningTrace = strings.TrimSpace(old.ReasoningTrace + "\n" + c.ReasoningTrace)
	}
}

// keep makes c a continuation of what somebody thought.
func keep(c, thought *sage.Checkpoint) {
	c.KeyEvidence = union(thought.KeyEvidence, append([]string{c.Thesis}, c.KeyEvidence...))
	c.Thesis, c.Confidence, c.Tensions, c.Sources = thought.Thesis, thought.Confidence, thought.Tensions, thought.Sources
	c.OpenQuestions = union(thought.OpenQuestions, c.OpenQuestions)
	c.UniqueContributions = union(thought.UniqueContributions, c.UniqueContributions)
	c.Action, c.Domain, c.DomainData, c.Skill = thought.Action, thought.Domain, thought.DomainData, thought.Skill
	c.Template, c.Fields, c.ComponentTheses, c.Extra = thought.Template, thought.Fields, thought.ComponentTheses, thought.Extra
	if thought.ReasoningTrace != "" {
		c.ReasoningTrace = strings.TrimSpace(thought.ReasoningTrace + "\n\n" + c.ReasoningTrace)
	}
}

// union is a and what of b is not in it.
func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
func last[T any](list []T, n int) []T  { return list[max(0, len(list)-n):] }

// clip is a text on one line of at most n characters.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
