package propose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Proposal is an item that somebody may want to keep.
type Proposal struct {
	Item sage.Item
	Why  string // conclusion, preference, constraint or failure

	// Decides is the sentence alone where it says outright what was decided or concluded:
	// "Decision: we use Redis", "We go with Redis". It is "" of all others.
	Decides string
}

// What a sentence may be that is worth keeping.
const (
	conclusion = "conclusion"
	Preference = "preference"
	Constraint = "constraint"
	failure    = "failure"
)

// maxProposals is how many items one text may suggest: a person looks through them.
const maxProposals = 12

// From finds in a text, such as an agent's answer, what may be worth keeping:
// conclusions, preferences, constraints and failures. It goes by plain rules: what
// heading or label a sentence stands under, and the words by which people say such
// things (see sentenceKind). Questions, guesses, plans, code, tables and quotations are
// left out. Proposals stand in the order of the text; each has an id of its own.
func From(text string) []Proposal {
	p := &proposer{keys: newKeywords(text)}
	for _, par := range paragraphs(text) {
		p.paragraph(par)
	}
	return p.done()
}

// FromCheckpoint is From for a checkpoint: its thesis with what carries it, its
// contributions, and what its other texts say.
func FromCheckpoint(c *sage.Checkpoint) []Proposal {
	parts := append([]string{c.Thesis, c.CoreQuestion, c.ReasoningTrace}, c.KeyEvidence...)
	p := &proposer{keys: newKeywords(strings.Join(parts, "\n"))}
	if thesis := strings.TrimSpace(c.Thesis); thesis != "" && thesis != sage.NeedsSynthesis {
		kind := conclusion
		if c.Trigger == sage.ConstraintDiscovered {
			kind = Constraint
		}
		p.add(kind, thesis, because(c.KeyEvidence))
	}
	for _, u := range c.UniqueContributions {
		p.add(conclusion, u.Content, "")
	}
	for _, text := range append([]string{c.ReasoningTrace}, c.KeyEvidence...) {
		for _, par := range paragraphs(text) {
			p.paragraph(par)
		}
	}
	out := p.done()
	for i := range out {
		if c.Skill != "" {
			out[i].Item.Scope.Skills = []string{c.Skill}
		}
		if c.ID != "" {
			out[i].Item.Source = "checkpoint " + c.ID[:min(8, len(c.ID))]
		}
	}
	return out
}

// joined are a text and what belongs to it, which may be a paragraph of its own.
func joined(text, more string) string {
	if more == "" || strings.HasPrefix(more, "\n") {
		return text + more
	}
	return text + " " + more
}

// because lists what carries a thesis.
func because(evidence []string) string {
	if len(evidence) == 0 {
		return ""
	}
	return "\n\n- " + strings.Join(evidence, "\n- ")
}

// A proposer gathers what a text suggests.
type proposer struct {
	keys *keywords
	list []Proposal
	said []string // what was taken up, to compare
}

// paragraph takes up what its sentences suggest. What follows one that is taken up may
// belong to it: a reason, what a failure taught, what points back to it, and under a
// heading all that is of no other kind.
func (p *proposer) paragraph(par paragraph) {
	list := par.claims()
	for i := 0; i < len(list); {
		c := list[i]
		if c.kind == "" {
			i++
			continue
		}
		var more []string
		for i++; i < len(list) && len(more) < maxMore && !list[i].outright && p.belongs(c.kind, list[i].text, par.kind); i++ {
			more = append(more, list[i].text)
		}
		if p.add(c.kind, c.whole, strings.Join(more, " ")) && c.outright {
			p.list[len(p.list)-1].Decides = c.text
		}
	}
}

// maxMore is how many sentences may belong to one: what is longer has other things to say.
const maxMore = 4

// belongs reports whether a sentence goes on with what the one before it said.
func (p *proposer) belongs(kind, s, section string) bool {
	switch {
	case givesReason(s), kind == failure && followsFailure(s):
		return true
	case section != "":
		next := ruleKind(s)
		return plain(s) && (next == "" || next == section)
	}
	return plain(s) && pointsBack(s) && ruleKind(s) != ""
}

// add proposes what a text says; more belongs to it, and is not what it is called by. It
// reports whether that is new.
func (p *proposer) add(kind, text, more string) bool {
	text = strings.ToValidUTF8(strings.ReplaceAll(strings.TrimSpace(text), "\x00", ""), "")
	bare := strings.Trim(strings.Join(strings.Fields(strings.ToLower(text)), " "), ".,;:!-_*` ")
	if bare == "" || len(p.list) == maxProposals || slices.ContainsFunc(p.said, func(s string) bool {
		return strings.Contains(s, bare) || strings.Contains(bare, s)
	}) {
		return false
	}
	p.said = append(p.said, bare)
	it := sage.Item{Type: sage.Knowledge, Content: joined(text, more)}
	switch kind {
	case Preference:
		it.Type = sage.Preference
	case failure:
		it.Type = sage.Failure
		it.Approach, it.WhyFailed, it.Learned = failureParts(text, strings.TrimSpace(more))
		it.Content = ""
	}
	it.ID = IDOf(cmp.Or(it.Approach, text))
	it.Keywords = p.keys.of(it.Text())
	it.Tidy()
	p.list = append(p.list, Proposal{Item: it, Why: kind})
	return true
}

// done gives each proposal an id of its own.
func (p *proposer) done() []Proposal {
	taken := map[string]bool{}
	for i := range p.list {
		it := &p.list[i].Item
		it.ID = FreeID(it.ID, func(id string) bool { return taken[id] })
		taken[it.ID] = true
	}
	return p.list
}
