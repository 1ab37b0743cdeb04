package distill

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A Claim is something that a model says of a conversation, and where it has it from.
type Claim struct {
	Text  string   `json:"text"`
	Quote string   `json:"quote"`
	When  []string `json:"when,omitempty"` // of a fact: situations in which it is wanted
}

// An Answer is what a model makes of a conversation.
type Answer struct {
	Question  Claim   `json:"question"`
	Thesis    Claim   `json:"thesis"`
	Evidence  []Claim `json:"evidence"`
	Decisions []Claim `json:"decisions"`
	Failures  []Claim `json:"failures"`
	Open      []Claim `json:"open"`
	Facts     []Claim `json:"facts"`

	Dropped int `json:"-"` // claims of which nothing could be kept
}

// What an answer may hold, in characters and numbers; more is cut.
const (
	maxText    = 500
	maxQuote   = 600
	leastQuote = 6 // what is shorter is found in any conversation
	mostClaims = 12
)

var errForm = errors.New("the answer does not have the requested form")

// parseAnswer reads the object that a model was asked for. An answer without one of the
// parts is none: then it was about something else.
func parseAnswer(data []byte) (Answer, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return Answer{}, fmt.Errorf("%w: %v", errForm, err)
	}
	for _, name := range []string{"question", "thesis", "evidence", "decisions", "failures", "open", "facts"} {
		if _, ok := parts[name]; !ok {
			return Answer{}, fmt.Errorf("%w: there is no '%s'", errForm, name)
		}
	}
	var a Answer
	if err := json.Unmarshal(data, &a); err != nil {
		return Answer{}, fmt.Errorf("%w: %v", errForm, err)
	}
	return a, nil
}

// check keeps what was said, as it was said.
func (a Answer) check(c Conversation) Answer {
	out := Answer{}
	one := func(k kind, claim Claim) Claim {
		list := out.kept(c, k, []Claim{claim})
		return append(list, Claim{})[0]
	}
	out.Question, out.Thesis = one(question, a.Question), one(finding, a.Thesis)
	out.Evidence, out.Decisions = out.kept(c, finding, a.Evidence), out.kept(c, decision, a.Decisions)
	out.Failures, out.Open = out.kept(c, failure, a.Failures), out.kept(c, question, a.Open)
	facts := slices.DeleteFunc(slices.Clone(a.Facts), func(f Claim) bool { return len(f.When) == 0 })
	out.Facts = out.kept(c, finding, facts)
	return out
}

// kept are the claims whose quotations were said, each once. One that does not agree with
// its quotation gives way to that.
func (a *Answer) kept(c Conversation, k kind, claims []Claim) (out []Claim) {
	for _, claim := range claims {
		claim.Text, claim.Quote = oneLine(claim.Text), oneSpace(claim.Quote)
		if claim.Text == "" && claim.Quote == "" {
			continue
		}
		claim, ok := c.judge(k, claim)
		if !ok {
			a.Dropped++
			continue
		}
		if len(out) < mostClaims && !slices.ContainsFunc(out, func(o Claim) bool { return o.Text == claim.Text }) {
			out = append(out, claim)
		}
	}
	return out
}

// judge is what is kept of a claim; ok is false where that is nothing.
func (c Conversation) judge(k kind, claim Claim) (_ Claim, ok bool) {
	if n := utf8.RuneCountInString(claim.Quote); claim.Text == "" || n < leastQuote || n > maxQuote {
		return claim, false
	}
	x, why, heard := c.hear(k, claim)
	if !heard || k == decision && c.isRefused(x, claim.Quote) {
		return claim, false
	}
	if why != "" || utf8.RuneCountInString(claim.Text) > maxText {
		if !isGood(x.said, x.from, k) {
			return claim, false
		}
		claim.Text, claim.Quote = oneLine(x.said), x.said
	}
	claim.When = x.situations(claim.When)
	return claim, true
}

// isEmpty reports whether nothing is left that makes a record.
func (a Answer) isEmpty() bool {
	return a.Thesis.Text == "" && len(a.Evidence)+len(a.Decisions)+len(a.Failures)+len(a.Facts) == 0
}
