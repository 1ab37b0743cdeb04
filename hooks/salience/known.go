package salience

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// knows returns what reports whether what was found is saved already: the session said it before, or was
// shown it when it began and tells it again.
func (s Session) knows() func(finding) bool {
	var own, behind []terms
	for _, c := range []*sage.Checkpoint{s.Last, s.Recovery} {
		if c != nil {
			own = append(own, heldBy(c, c.OpenQuestions...))
		}
	}
	for _, c := range s.Behind {
		behind = append(behind, heldBy(c))
	}
	return func(f finding) bool {
		return slices.ContainsFunc(own, func(held terms) bool { return held.says(f.terms) }) || slices.ContainsFunc(behind, f.isIn)
	}
}

// heldBy are the terms of all that a checkpoint says, and of more.
func heldBy(c *sage.Checkpoint, more ...string) terms {
	parts := slices.Concat([]string{c.Thesis, c.CoreQuestion, c.ReasoningTrace}, c.KeyEvidence, more)
	for _, u := range c.UniqueContributions {
		parts = append(parts, u.Content)
	}
	return termsOf(parts...)
}

// toldShare is how many of the terms of a sentence are in what the session was shown, if it
// tells that again: in its own words, so fewer than of what it wrote itself.
const toldShare = 0.65

// isIn reports whether a finding says again what a checkpoint holds: with no number of its
// own, and without denying anything. What was open is not told again by who answers it.
func (f finding) isIn(held terms) bool {
	return !f.denies && f.terms.numbersIn(held) && float64(f.terms.common(held)) >= toldShare*float64(len(f.terms))
}
