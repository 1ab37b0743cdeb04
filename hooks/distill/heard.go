package distill

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// A speech is a paragraph that somebody said, with one space between its words.
type speech struct {
	text   string
	person bool // a person said it, and else the agent
	failed bool // a call that failed printed it
	raw    string
}

// mostPlaces is how many of the places where a quotation stands are looked at.
const mostPlaces = 8

// hear finds a quotation, and has the claim judged where it stands. Of several places the
// first counts where the claim agrees, and else the first. ok is false where it stands
// nowhere.
func (c Conversation) hear(k kind, claim Claim) (best claimed, why string, ok bool) {
	places := 0
	for i, s := range c.speeches {
		if s.failed && k != failure || !strings.Contains(s.text, claim.Quote) {
			continue
		}
		if places++; places > mostPlaces {
			break
		}
		x := c.at(i, k, claim)
		if d := x.disagreement(); !ok || d == "" {
			best, why, ok = x, d, true
		}
		if why == "" {
			break
		}
	}
	return best, why, ok
}

// at is a claim beside what was said at a place.
func (c Conversation) at(i int, k kind, claim Claim) claimed {
	s := c.speeches[i]
	x := claimed{kind: k, text: claim.Text, said: s.around(claim.Quote), person: s.person}
	if x.said == "" {
		x.said = claim.Quote
	}
	x.from = prose.Language(s.raw)
	if x.to = prose.Language(claim.Text); x.to == "" || x.to != x.from && !differ(x.from, x.to) {
		x.to = x.from
	}
	var near []string
	for _, o := range c.speeches[max(0, i-nearBefore):min(len(c.speeches), i+nearBehind+1)] {
		near = append(near, o.text)
	}
	x.near = strings.Join(near, "\n")
	if next := c.answer(i); next != nil && !s.person {
		signs := prose.SignsOf(first(next.raw), x.from)
		x.agreed = signs.Has(prose.Agrees|prose.Assents) && !signs.Has(prose.Objects)
	}
	x.words = [2][]prose.Word{prose.Stated(x.said, x.from), prose.Stated(x.text, x.to)}
	return x
}

// differ reports whether two languages are written in other scripts, which few words suffice
// to tell.
func differ(a, b prose.Lang) bool {
	latin := func(l prose.Lang) bool { return l != prose.Chinese && l != prose.Japanese && l != prose.Russian }
	return latin(a) != latin(b) || !latin(a)
}

// answer is what a person said next; nil if nobody did.
func (c Conversation) answer(i int) *speech {
	for j := i + 1; j < len(c.speeches); j++ {
		if c.speeches[j].person {
			return &c.speeches[j]
		}
	}
	return nil
}

// first is the first sentence of a text.
func first(text string) string {
	if list := prose.Read(text); len(list) > 0 {
		return list[0].Text
	}
	return text
}

// isRefused reports whether a proposal of the agent was turned down, or nobody said a word
// to it.
func (c Conversation) isRefused(x claimed, quote string) bool {
	if signs := prose.SignsOf(x.said, x.from); x.person || x.agreed || !signs.Has(prose.Proposes|prose.TellsProposal) || signs.Has(prose.Decides|prose.TellsDecision) {
		return false
	}
	i := slices.IndexFunc(c.speeches, func(s speech) bool { return !s.failed && strings.Contains(s.text, quote) })
	next := c.answer(i)
	return next == nil || prose.SignsOf(first(next.raw), x.from).Has(prose.Objects)
}

// around are the sentences that a quotation stands in, whole: what a model cuts off may be
// the word that denies it. "" is that it stands in no prose.
func (s speech) around(quote string) string {
	from := strings.Index(s.text, quote)
	until := from + len(quote)
	begin, end, at := -1, -1, 0
	for _, x := range prose.Read(s.raw) {
		text := oneSpace(x.Text)
		i := strings.Index(s.text[at:], text)
		if i < 0 {
			continue
		}
		i += at
		at = i + len(text)
		if i >= until {
			break
		}
		if at <= from {
			continue
		}
		if begin < 0 {
			begin = i
		}
		end = at
	}
	if begin < 0 {
		return ""
	}
	return s.text[min(begin, from):max(end, until)]
}
