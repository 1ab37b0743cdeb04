package salience

import (
	"cmp"
	"slices"
	"strings"
)

// settle leaves of what was found what still stands at the end: not what was turned down,
// nothing twice, and of two that differ in a number alone the later one. It is in the order
// in which it was said.
func (r *reading) settle() (out []finding) {
	var b board
	for _, f := range r.found {
		if !r.dropped[bare(f.text)] || f.agreed {
			b.add(f)
		}
	}
	out = enough(b.all())
	slices.SortStableFunc(out, func(a, b finding) int { return a.stretch - b.stretch })
	return out
}

// replaces reports whether a later finding says the same as an older one, or the same with
// another number, or how the same is now: one that has all of its numbers only says more. A person and the agent say
// one thing each in their own way.
func replaces(f, old finding) bool {
	if f.person != old.person || f.score < Threshold {
		return false
	}
	n := share(f.terms, old.terms)
	if f.changes && old.changes && f.stretch > old.stretch && n >= aboutShare && min(len(f.terms), len(old.terms)) > 2 && beginning(f.text) == beginning(old.text) {
		return true
	}
	if f.terms.sameNumbers(old.terms) {
		return n >= sameShare && len(f.terms) >= len(old.terms)
	}
	return n >= aboutShare && f.terms.counts() && !old.terms.numbersIn(f.terms) && f.stretch > old.stretch && min(len(f.terms), len(old.terms)) >= leastSame
}

// beginning is the word that a text begins with, or its first two characters of Chinese or Japanese.
func beginning(s string) string {
	if r := []rune(s); len(r) > 1 && isHan(r[0]) {
		return string(r[:2])
	}
	w, _, _ := strings.Cut(s, " ")
	return strings.ToLower(w)
}

// leastPart is how long a sentence is that another finding may begin with, in bytes.
const leastPart = 20

// leastSame is how many terms two statements have at least that can be told to be about the
// same thing.
const leastSame = 4

// fill is how many findings a record has before those that nothing but their place tells for
// are left out.
const fill = 10

// enough leaves out the faint ones of too many: a record of much work holds what was told in so
// many words, one of little holds what was said at all.
func enough(list []finding) []finding {
	var faint []finding
	for _, f := range list {
		if f.faint && f.score >= Threshold {
			faint = append(faint, f)
		}
	}
	clear := 0
	for _, f := range list {
		if !f.faint && f.score >= Threshold {
			clear++
		}
	}
	slices.SortStableFunc(faint, func(a, b finding) int { return cmp.Compare(b.score, a.score) })
	left := map[string]bool{}
	for _, f := range faint[min(len(faint), max(0, fill-clear)):] {
		left[f.text] = true
	}
	return slices.DeleteFunc(list, func(f finding) bool { return f.faint && left[f.text] })
}
