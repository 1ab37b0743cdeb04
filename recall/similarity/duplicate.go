package similarity

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/compare"
)

// DedupThreshold is the cosine of two theses from which they may say the same.
const DedupThreshold = 0.90

// IsDuplicate reports whether a checkpoint says nothing that an older one does not,
// and else what it brings. similarity is the cosine of their theses.
//
// A model alone cannot tell: with e5-small-v2 "use Redis" and "do not use Redis" are
// nearer (.949) than true paraphrases are (.953 at best). So the cosine only says
// which pairs are looked at, and any word of its own, number, sign or entry makes
// them two. What is saved twice costs a line in a list; what was taken for a repeat
// is lost.
func IsDuplicate(older, newer *sage.Checkpoint, similarity, threshold float64) (bool, string) {
	return isDuplicate(older, newer, saysMore, func() float64 { return similarity }, threshold)
}

// isDuplicate is IsDuplicate with what more says of the theses; similarity is asked where words
// agree alone, for it takes a model.
func isDuplicate(older, newer *sage.Checkpoint, more func(older, newer string) string, similarity func() float64, threshold float64) (bool, string) {
	if d := difference(older, newer, more); d != "" {
		return false, d
	}
	if similarity() < threshold {
		return false, "another thesis"
	}
	return true, ""
}

// difference names what newer says and older does not; "" if that is nothing. more does so
// for the theses.
func difference(older, newer *sage.Checkpoint, more func(older, newer string) string) string {
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
	return more(older.Thesis, newer.Thesis)
}

// saysMore names what a thesis says and an older one does not; "" if that is nothing.
func saysMore(older, newer string) string {
	if compare.Repeats(older, newer) {
		return ""
	}
	return cmp.Or(compare.Difference(older, newer), "words")
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

// brings reports whether newer has an entry that older has not.
func brings(older, newer []string) bool {
	return slices.ContainsFunc(newer, func(s string) bool {
		return !slices.ContainsFunc(older, func(o string) bool { return alike(o, s) })
	})
}

// alike reports whether two texts are the same but for white space, letter case and the full
// stop in the end.
func alike(a, b string) bool {
	plain := func(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }
	return strings.EqualFold(plain(a), plain(b))
}

// differ says in its way that two theses are not [alike].
func differ(a, b string) string {
	if alike(a, b) {
		return ""
	}
	return "words"
}
