package trigger

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// What an agreement behind a proposal tells, and how long it is at most, in words: who says
// more has something else to say.
const (
	byProposal = 0.75
	mostYes    = 30
)

// agree makes a yes to a proposal a decision: what is decided is the proposal. before is
// what the agent said last.
func (r *Reading) agree(reply, before string) {
	if before == "" || len(strings.Fields(reply)) > mostYes {
		return
	}
	language := prose.Language(before)
	yes := yesOf(reply, language)
	if !yes.Has(prose.Agrees) {
		return
	}
	if s := proposal(before, language, yes); s != "" {
		r.Scores[Validation] = max(r.Scores[Validation], byProposal)
		r.Best[Validation], r.Agreed = s, true
	}
}

// yesOf are the signs of an answer, none if it asks back or refuses. A short one may be in
// another language than what it answers.
func yesOf(reply string, l prose.Lang) (all prose.Signs) {
	own := prose.Language(reply)
	for _, s := range prose.Read(reply) {
		signs := prose.SignsOf(s.Text, l)
		if own != "" && own != l {
			signs |= prose.SignsOf(s.Text, own)
		}
		if s.Asks || signs.Has(prose.Doubts) && !signs.Has(prose.Agrees) {
			return 0
		}
		all |= signs
	}
	if all == 0 && strings.Contains(reply, "👍") {
		return prose.Agrees
	}
	return all
}

// proposal is the last sentence of a text that proposes something, of which "the second"
// picks the second item; "" if there is none, or none that matters.
func proposal(text string, l prose.Lang, yes prose.Signs) string {
	list := prose.Read(text)
	if s := picked(list, yes); s != "" {
		return s
	}
	asked := ""
	for i, s := range slices.Backward(list) {
		signs := prose.SignsOf(s.Text, l)
		offers := signs.Has(prose.Proposes) || s.Role() == prose.Proposal || signs.Has(prose.Decides) && list[len(list)-1].Asks && i < len(list)-1
		switch {
		case !offers || signs.Has(prose.Routine) || len(s.Said) < leastProposal:
		case !s.Asks:
			return s.Said
		case asked == "":
			asked = s.Said
		}
	}
	return asked
}

// leastProposal is how long a proposal is at least, in bytes: "Shall I?" is none.
const leastProposal = 18

// picked is the item of the last list that a reply names by its number.
func picked(list []prose.Sentence, yes prose.Signs) string {
	n := slices.Index([]bool{yes.Has(prose.First), yes.Has(prose.Second), yes.Has(prose.Third)}, true)
	var items []string
	for i, s := range list {
		if i > 0 && s.Part == prose.Item && list[i-1].Part != prose.Item {
			items = nil
		}
		if s.Part == prose.Item && s.First {
			items = append(items, s.Text)
		}
	}
	if n < 0 || n >= len(items) {
		return ""
	}
	return items[n]
}
