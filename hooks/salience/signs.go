package salience

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
)

// A sentence is one of a message, with what its words tell.
type sentence struct {
	prose.Sentence
	words  prose.Signs
	kind   prose.Role // what its words name; "" is nothing in particular
	idle   bool       // a plan, a guess or a courtesy: nothing is claimed
	yields bool       // the person says yes and goes on
	terms  terms      // of what it says, and those of them that tell what that is about
	topic  terms
}

// shortThanks is how long a courtesy is that has many words and says nothing.
const shortThanks = 30

// judged is a sentence of the agent, or of the person, with what its words tell.
func judged(s prose.Sentence, l prose.Lang, person bool) sentence {
	out := sentence{Sentence: s, words: prose.SignsOf(s.Text, l), terms: termsOf(s.Said)}
	out.topic = out.terms.topical()
	if person {
		out.yields = yieldsFirst(s.Said, l)
		out.Asks = out.Asks || out.words.Has(prose.Wonders)
		jests := out.jests() && !hasDigit(s.Said) && !out.words.Has(prose.Decides|prose.TellsDecision|prose.TellsConstraint)
		out.idle = jests || out.dreams() && !out.requests() || out.words.Has(prose.Thanks) && (len(out.topic) <= leastAbout || length(s.Said) <= shortThanks) // with more, it says something, too
	} else {
		out.idle = out.jests() || out.dreams() && !out.words.Has(prose.Changes|prose.TellsConstraint|prose.Limits) || out.words.Has(prose.Idles|prose.Guesses) || out.words.Has(prose.Notes) && (!out.words.Has(prose.Changes) && len(out.topic) <= leastAbout || out.saysNoMore())
	}
	out.kind = kindOf(out.words, person)
	if out.kind == "" && !out.idle {
		out.kind = outright(out.words)
	}
	return out
}

// saysNoMore reports whether a sentence names nothing: "OK, changed it."
func (s sentence) saysNoMore() bool {
	return s.topic.weight() < leastAbout-1 && !hasDigit(s.Said) && !strings.Contains(s.Said, "`")
}

// jests reports whether a sentence is a joke, by a word or by a smiley.
func (s sentence) jests() bool { return s.words.Has(prose.Jests) || smiley().MatchString(s.Text) }

// smiley is a face that laughs.
var smiley = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[😀-😆😉😊😋😎😛-😝🙂🙃🤣🤪]|(?:^|\s)[:;]-?[)DP](?:$|\s)|[^\s)]\){2,}$`)
})

// dreams reports whether a sentence speaks of another time or of what could be, and decides nothing.
func (s sentence) dreams() bool {
	return s.words.Has(prose.Someday) && !s.words.Has(prose.Decides|prose.TellsDecision|prose.Always|prose.Prefers)
}

// isBare reports whether a sentence says that something was found, and not what.
func (s sentence) isBare() bool {
	return s.words.Has(prose.Finds) && len(s.topic) <= leastAbout && length(s.Said) <= mostBare && !hasDigit(s.Said) && !strings.ContainsAny(s.Said, "`:：,，")
}

// mostBare is how long a sentence is that says only that something was found, see length.
const mostBare = 48

// explains reports whether a sentence goes on behind a colon to say what it speaks of.
func (s sentence) explains() bool {
	if prose.RoleOf(s.Label) == "" && s.Label != "" {
		return length(s.Said) > least
	}
	i := strings.IndexAny(s.Said, ":：—")
	return i > 0 && length(s.Said[i:]) > least && !leadsOver(s.Said)
}

// concedes reports whether a sentence says what it grants: "You're right: 40 of 90 fail."
func (s sentence) concedes(l prose.Lang) bool {
	i := strings.IndexAny(s.Text, ":：—,，")
	return i > 0 && length(s.Text[i:]) > leastClaim && prose.SignsOf(s.Text[:i], l).Has(prose.Notes|prose.Assents|prose.Agrees)
}

// reportsBefore reports whether a word stands before a sentence that tells it is done: "Fixed:".
func (s sentence) reportsBefore(l prose.Lang) bool {
	return s.Label != "" && prose.SignsOf(s.Label, l).Has(prose.Reports|prose.Changes)
}

// requests reports whether a person asks something, or tells the other what to do.
func (s sentence) requests() bool {
	return s.Part != prose.Heading && !s.idle && length(s.Said) >= least && (s.Asks || s.words.Has(prose.Requests|prose.Tasks))
}

// assents reports whether a person says yes.
func (s sentence) assents() bool { return s.words.Has(prose.Assents | prose.Agrees) }

// corrects reports whether a person says that it is otherwise.
func (s sentence) corrects() bool {
	return s.words.Has(prose.Objects) && !s.idle && !s.yields
}

// yieldsFirst reports whether a sentence begins with a yes and goes on: "yes, but not ..."
func yieldsFirst(s string, l prose.Lang) bool {
	i := strings.IndexAny(s, " ,，、")
	return i > 0 && prose.SignsOf(s[:i], l).Has(prose.Assents)
}

// kindOf is what an account's words name, the most telling first; "" is nothing. A proposal and
// a loose end are the agent's, a wish and a rule the person's.
func kindOf(words prose.Signs, person bool) prose.Role {
	switch {
	case !person && words.Has(prose.Pending):
		return prose.Open
	case words.Has(prose.Fails):
		return prose.Failure
	case words.Has(prose.TellsDecision):
		return prose.Decision
	case !person && words.Has(prose.TellsProposal):
		return prose.Proposal
	case person && words.Has(prose.Prefers|prose.Always):
		return prose.Preference
	case words.Has(prose.TellsConstraint) || person && words.Has(prose.TellsRule):
		return prose.Constraint
	case words.Has(prose.TellsConclusion | prose.RulesOut):
		return prose.Conclusion
	}
	return ""
}

// outright is what a sentence says in so many words; "" is nothing, or a guess.
func outright(words prose.Signs) prose.Role {
	switch {
	case words.Has(prose.Doubts | prose.Plans):
	case words.Has(prose.Routine):
		if words.Has(prose.Limits) {
			return prose.Constraint
		}
	case words.Has(prose.Decides):
		return prose.Decision
	case words.Has(prose.Causes | prose.Concludes):
		return prose.Conclusion
	case words.Has(prose.Limits):
		return prose.Constraint
	}
	return ""
}
