package salience

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// known are the words of what is saved already.
type known map[string]bool

func (s Session) known() known {
	k := known{}
	for _, c := range []*sage.Checkpoint{s.Last, s.Recovery} {
		if c == nil {
			continue
		}
		parts := slices.Concat([]string{c.Thesis, c.CoreQuestion, c.ReasoningTrace}, c.KeyEvidence, c.OpenQuestions)
		for _, u := range c.UniqueContributions {
			parts = append(parts, u.Content)
		}
		for _, w := range words(strings.Join(parts, " ")) {
			k[w] = true
		}
	}
	return k
}

// sameShare is how many of the words of a sentence a checkpoint has if it says so
// already: all but the odd one of a usual sentence.
const sameShare = 0.9

func (k known) has(text string) bool {
	if len(k) == 0 {
		return false
	}
	list, there := words(text), 0
	for _, w := range list {
		if k[w] {
			there++
		}
	}
	return float64(there) >= sameShare*float64(len(list))
}

// words are what a text says, without small words.
func words(s string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \t\r\n.,;:!?()[]{}\"'`*_-–—/", r) }) {
		if len(w) > 3 || strings.ContainsAny(w, "0123456789") {
			out = append(out, w)
		}
	}
	return out
}
