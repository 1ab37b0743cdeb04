package propose

import (
	"regexp"
	"sync"

	"github.com/git-sage/git-sage/prose"
)

// A Sentence is one of a text, with what it would be kept as.
type Sentence struct {
	Text    string
	Why     string // as of a Proposal; "" if it is not worth an item
	Says    bool   // it claims something: no question, plan or guess
	Decides bool   // it says outright what was decided or concluded
}

// Sentences takes the prose of a text apart and judges each sentence as [From] does.
// Code, tables, quotations and headings are left out. It is for who weighs them further.
func Sentences(text string) (out []Sentence) {
	for _, par := range paragraphs(text) {
		for _, c := range par.claims() {
			says := plain(c.text) && !guesses(c.text)
			out = append(out, Sentence{c.whole, c.kind, says, c.outright})
		}
	}
	return out
}

// A claim is a sentence of a paragraph.
type claim struct {
	text     string // without its label
	whole    string // with the sentence before, where it cannot be understood without
	kind     string // of a rule; "" is none
	outright bool   // it says what was decided or concluded, and that it was
}

// claims are the sentences of a paragraph. One may have a label of its own.
func (par paragraph) claims() (out []claim) {
	for i, s := range par.sentences {
		label, text := kinds[prose.RoleOf(s.Label)], s.Text
		if i == 0 {
			text = upper(recap().ReplaceAllString(text, ""))
		}
		c := claim{text: text, whole: text, kind: sentenceKind(text, par.kind)}
		if label != "" && (i == 0 || plain(s.Said)) {
			c.text = upper(s.Said)
			c.whole, c.kind = c.text, sentenceKind(c.text, label)
		}
		c.outright = c.kind == conclusion && (label == conclusion || decides().MatchString(text) || decidesPlainly(text))
		if label == "" && i > 0 && c.kind != "" && pointsBack(text) && !standsAlone().MatchString(text) { // "It must not be cached": say what
			c.whole = out[i-1].text + " " + text
		}
		out = append(out, c)
	}
	return out
}

// decides is how people begin who say what they decided.
var decides = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:so,? |therefore,? |thus,? |hence,? |in short,? |for now,? )?(?:` + weDecide + `|(?:the|my|our) (?:final )?(?:decision|verdict) is\b)`)
})

// weDecide is what they say then. What is shipped may be a habit: against what, or why,
// makes a decision of it.
const weDecide = `(?:we|i)(?:'ve|'ll| have| will)? (?:decided|chose|choose|settled on|opted|go with|went with|going with)\b|` +
	`(?:we|i)(?:'ll| will)? (?:ship|adopt|keep|take|use)\b.* (?:instead of|rather than|because|and not|over)\b`

// standsAlone is a sentence that draws the conclusion and says it, too.
var standsAlone = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:so|then|therefore|thus|hence)\b,? (?:(?:the|my|our) (?:[a-z]+ )?(?:conclusion|decision|verdict|answer|recommendation) (?:is|was) that\b|` + weDecide + `)`)
})
