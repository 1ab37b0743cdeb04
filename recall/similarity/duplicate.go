package similarity

import (
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/terms"
)

// DedupThreshold is the cosine of two theses from which they may say the same.
const DedupThreshold = 0.90

// IsDuplicate reports whether a checkpoint says nothing that an older one does not,
// and else what it brings. similarity is the cosine of their theses.
//
// A model alone cannot tell: with e5-small-v2 "use Redis" and "do not use Redis" are
// nearer (.949) than true paraphrases are (.953 at best). So the cosine only says
// which pairs are looked at, and any difference that a reader would stop at makes
// them two. What is saved twice costs a line in a list; what was taken for a repeat
// is lost.
func IsDuplicate(older, newer *sage.Checkpoint, similarity, threshold float64) (bool, string) {
	if d := Difference(older, newer); d != "" {
		return false, d
	}
	if similarity < threshold {
		return false, "another thesis"
	}
	return true, ""
}

// Difference names what newer says and older does not; "" if that is nothing.
func Difference(older, newer *sage.Checkpoint) string {
	a, b := older.Confidence, newer.Confidence
	if a != nil && b != nil && math.Abs(*a-*b) > 0.1+1e-9 {
		return "confidence"
	}
	for _, part := range []struct {
		name string
		of   func(*sage.Checkpoint) []string
	}{
		{"evidence", func(c *sage.Checkpoint) []string { return c.KeyEvidence }},
		{"sources", sourcesOf},
		{"contributions", ContributionsOf},
		{"tensions", tensionsOf},
		{"questions", func(c *sage.Checkpoint) []string { return c.OpenQuestions }},
	} {
		if brings(part.of(older), part.of(newer)) {
			return part.name
		}
	}
	if brings(newer.OpenQuestions, older.OpenQuestions) { // one that is open no more
		return "answers"
	}
	return compare.Difference(older.Thesis, newer.Thesis)
}

func sourcesOf(c *sage.Checkpoint) (out []string) {
	for _, s := range c.Sources {
		out = append(out, strings.Join([]string{s.ID, s.Identifier, s.Take, s.Relation}, " "))
	}
	return out
}

func ContributionsOf(c *sage.Checkpoint) (out []string) {
	for _, u := range c.UniqueContributions {
		out = append(out, u.Content)
	}
	return out
}

func tensionsOf(c *sage.Checkpoint) (out []string) {
	for _, t := range c.Tensions {
		out = append(out, strings.Join(append(slices.Clone(t.Between), t.Nature, t.Resolution), " "))
	}
	return out
}

// brings reports whether newer has an entry that older has not, letter case and
// punctuation aside.
func brings(older, newer []string) bool {
	had := map[string]bool{}
	for _, s := range older {
		had[terms.Phrase(s)] = true
	}
	return slices.ContainsFunc(newer, func(s string) bool { return !had[terms.Phrase(s)] })
}
