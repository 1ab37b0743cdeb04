package salience

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/prose/cut"
)

// A Session is what is known of a conversation.
type Session struct {
	Digest *transcript.Digest
	Texts  []transcript.Text // what was said, as far back as is known; of nil the digest tells
	Since  time.Time         // what was said until then is saved; zero if nothing is
	From   int64             // the same as an offset in the transcript, where that is known; else 0

	// What of the session was saved before, nil if nothing: the last checkpoint that
	// somebody thought about, and the recovery behind it.
	Last, Recovery *sage.Checkpoint

	// Behind is what the session began with where it saved nothing itself, the newest first:
	// what was recovered of other sessions, and behind that what stands on the line.
	Behind []*sage.Checkpoint

	Summary string // the client's own, of what it took out of the conversation since; "" is none

	Threshold float64 // salience_threshold; 0 is Threshold
}

// How long things may be, in characters, and how many there are.
const (
	maxQuestion = 400
	maxThesis   = 600
	maxSentence = 600
	maxRequest  = 160
	maxSummary  = 2000
	mostPoints  = 24
	mostAsked   = 12
	mostFiles   = 100
)

// Checkpoint is what would be lost of a session, with a trigger such as Recovery or
// SessionEnd; nil if there is nothing new that is worth it. All that it quotes is verbatim.
// It holds no confidence: nobody thought about it, and its agent is [sage.Rules].
//
// A recovery stands beside Last, and takes over what older recoveries have. Any other, as of
// the end of a session, takes the place of what it continues, and so it begins with what that
// holds: it keeps a thesis that somebody thought about, and adds what came after.
func Checkpoint(s Session, trigger sage.Trigger) *sage.Checkpoint {
	n := s.news()
	thesis, question := n.thesis()
	if thesis == "" {
		return nil
	}
	c := &sage.Checkpoint{
		CoreQuestion: question, Thesis: thesis, KeyEvidence: n.evidence,
		UniqueContributions: n.fixed(), OpenQuestions: n.reading.openQuestions(n.failures), ReasoningTrace: n.trace(s.Summary),
		FilesExplored: cut.First(s.Digest.FilesExplored(), mostFiles), FilesChanged: cut.First(s.Digest.FilesChanged(), mostFiles),
		CodeRefs: cut.First(s.Digest.CodeRefs(), mostFiles), MessageCount: s.Digest.Turns, TokenEstimate: s.Digest.Window,
		Trigger: trigger, Agent: sage.Rules, Time: s.ended(n),
	}
	s.inherit(c, n, trigger)
	return c
}

// ended is when the last of it was said: a session that was killed may be saved days later.
func (s Session) ended(n news) time.Time {
	for _, t := range slices.Backward(n.texts) {
		if !t.Time.IsZero() {
			return t.Time
		}
	}
	return time.Time{}
}

// inherit adds what a checkpoint continues, as far as it still stands.
func (s Session) inherit(c *sage.Checkpoint, n news, trigger sage.Trigger) {
	behind := s.Behind
	if s.Recovery != nil {
		behind = append([]*sage.Checkpoint{s.Recovery}, behind...)
	}
	for _, old := range behind {
		if n.isElsewhere(old) {
			continue
		}
		if trigger != sage.Recovery || old.Trigger == sage.Recovery {
			n.takeOver(c, old)
		}
		c.CoreQuestion = cmp.Or(c.CoreQuestion, old.CoreQuestion)
	}
	if s.Last == nil {
		return
	}
	c.CoreQuestion = cmp.Or(c.CoreQuestion, s.Last.CoreQuestion)
	switch {
	case trigger == sage.Recovery:
		c.Elsewhere = c.Elsewhere || s.Last.Elsewhere && c.CoreQuestion == s.Last.CoreQuestion
	case s.Last.Agent == sage.Rules:
		n.takeOver(c, s.Last)
	default:
		n.keep(c, s.Last)
	}
}

// isElsewhere reports whether the session is about something else than a checkpoint that stands
// where it began: it opens with a question of its own, and no text of it shares two words with that.
func (n news) isElsewhere(old *sage.Checkpoint) bool {
	list := n.reading.list
	if len(n.before) > 0 || old.Trigger == sage.Recovery || len(list) == 0 || !list[0].isAbout() {
		return false
	}
	held := heldBy(old, old.OpenQuestions...)
	for _, t := range n.texts {
		if termsOf(t.Text).topical().common(held) > 1 {
			return false
		}
	}
	return true
}

// takeOver adds what another checkpoint holds, which will not be shown any more.
func (n news) takeOver(c, old *sage.Checkpoint) {
	n.addEvidence(c, append([]string{old.Thesis}, old.KeyEvidence...))
	n.addOpen(c, old.OpenQuestions)
	c.UniqueContributions = cut.First(lists.Union(c.UniqueContributions, old.UniqueContributions), mostPoints)
	c.ReasoningTrace = joinLines(old.ReasoningTrace, c.ReasoningTrace)
	c.Elsewhere = c.Elsewhere || old.Elsewhere
}

// keep makes c a continuation of what somebody thought: the thesis stays theirs.
func (n news) keep(c, thought *sage.Checkpoint) {
	fresh := c.KeyEvidence
	c.KeyEvidence, c.Thesis, fresh = nil, thought.Thesis, append([]string{c.Thesis}, fresh...)
	for _, e := range append(fresh, thought.KeyEvidence...) {
		c.KeyEvidence = addNew(c.KeyEvidence, e)
	}
	c.CoreQuestion = cmp.Or(thought.CoreQuestion, c.CoreQuestion)
	c.Confidence, c.Tensions, c.Sources = thought.Confidence, thought.Tensions, thought.Sources
	n.addOpen(c, thought.OpenQuestions)
	c.UniqueContributions = lists.Union(thought.UniqueContributions, c.UniqueContributions)
	c.Action, c.Domain, c.DomainData, c.Skill = thought.Action, thought.Domain, thought.DomainData, thought.Skill
	c.Template, c.Fields, c.ComponentTheses, c.Extra = thought.Template, thought.Fields, thought.ComponentTheses, thought.Extra
	c.ReasoningTrace = joinLines(thought.ReasoningTrace, c.ReasoningTrace)
	c.Elsewhere = c.Elsewhere || thought.Elsewhere
}

// addEvidence adds older evidence below what c has: not what it says already, and not what
// it says of another number by now.
func (n news) addEvidence(c *sage.Checkpoint, older []string) {
	have := append([]string{c.Thesis}, c.KeyEvidence...)
	for _, e := range older {
		if e == "" || len(c.KeyEvidence) >= 2*mostPoints || slices.ContainsFunc(have, func(h string) bool { return outdates(h, e) }) {
			continue
		}
		c.KeyEvidence = append(c.KeyEvidence, e)
		have = append(have, e)
	}
}

// outdates reports whether a newer statement says an older one again, or with another number.
func outdates(newer, older string) bool {
	t, u := termsOf(newer), termsOf(older)
	return bare(newer) == bare(older) || t.says(u) || t.counts() && !t.sameNumbers(u) && min(len(t), len(u)) >= leastSame && share(t, u) >= aboutShare
}

// addOpen adds what was open and is so still.
func (n news) addOpen(c *sage.Checkpoint, older []string) {
	for _, q := range older {
		if len(c.OpenQuestions) < 3*mostOpen && !n.closed(q) {
			c.OpenQuestions = addNew(c.OpenQuestions, q)
		}
	}
}

// closed reports whether an open question of an older checkpoint was settled since.
func (n news) closed(q string) bool {
	for _, f := range n.all {
		if strings.HasPrefix(q, stillFails) && q == stillFails+told(f) {
			return f.Fixed > 0 || f.Eased > 0
		}
	}
	if ask, ok := strings.CutPrefix(q, notAnswered); ok {
		return slices.ContainsFunc(n.before, func(t transcript.Text) bool { return t.Person && asks(t.Text, ask) }) && len(n.texts) > 0
	}
	return n.reading.answered(looseEnd{q, termsOf(q), -2})
}

// asks reports whether a text holds the beginning of what was asked, as it was clipped.
func asks(text, ask string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), " "), strings.TrimSuffix(ask, "…"))
}

// joinLines puts two texts together, no line twice.
func joinLines(a, b string) string {
	return strings.TrimSpace(strings.Join(lists.Union(strings.Split(a, "\n"), strings.Split(b, "\n")), "\n"))
}
func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }
