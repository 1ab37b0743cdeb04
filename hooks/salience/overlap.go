package salience

import (
	"slices"
	"strings"
)

// An overlap tells of many sets of terms which share some with another one: what was said in
// a day is too much to compare each sentence with each.
type overlap struct {
	with   map[string][]int // the sets that have a term
	shared []int            // how many of the terms in question a set has; 0 between two questions
}

// put adds terms to a set, by its number: those from 0 on, one after the other.
func (o *overlap) put(set int, t terms) {
	if o.with == nil {
		o.with = map[string][]int{}
	}
	for len(o.shared) <= set {
		o.shared = append(o.shared, 0)
	}
	for w := range t {
		o.with[w] = append(o.with[w], set)
	}
}

// near are the sets, in their order, that share enough terms with t.
func (o *overlap) near(t terms, enough func(set, shared int) bool) (out []int) {
	for w := range t {
		for _, set := range o.with[w] {
			if o.shared[set]++; o.shared[set] == 1 {
				out = append(out, set)
			}
		}
	}
	out = slices.DeleteFunc(out, func(set int) bool {
		n := o.shared[set]
		o.shared[set] = 0
		return !enough(set, n)
	})
	slices.Sort(out)
	return out
}

// A distinct collects texts of which none says what one before it says.
type distinct struct {
	texts []string
	have  map[string]bool // bare
	terms []terms
	overlap
}

func (d *distinct) add(s string) {
	b, t := bare(s), termsOf(s)
	if d.have[b] {
		return
	}
	says := func(set, shared int) bool {
		return float64(shared) >= sameShare*float64(len(t)) && t.numbersIn(d.terms[set])
	}
	if len(d.near(t, says)) > 0 {
		return
	}
	if d.have == nil {
		d.have = map[string]bool{}
	}
	d.have[b] = true
	d.put(len(d.texts), t)
	d.texts, d.terms = append(d.texts, s), append(d.terms, t)
}

// A board holds findings as they come, see [board.add].
type board struct {
	slots []slot // in the order in which they came, or what they took the place of
	bare  map[string][]int
	heads map[string][]int // by their beginnings of leastPart bytes
	overlap
}

type slot struct {
	finding
	bare string
	gone bool
}

// add adds a finding that is new; what it repeats or takes the place of goes.
func (b *board) add(f finding) {
	plain := bare(f.text)
	for _, i := range b.alike(f, plain) {
		old := &b.slots[i]
		switch {
		case old.gone:
		case old.bare == plain:
			if f.score > old.score {
				old.score, old.kind, old.settles, old.agreed, old.faint = f.score, f.kind, f.settles, f.agreed, f.faint
			}
			return
		case len(old.text) > leastPart && strings.HasPrefix(f.text, old.text): // with the sentence behind it
			f.score, f.settles, f.agreed, f.faint = max(f.score, old.score), f.settles || old.settles, f.agreed || old.agreed, f.faint && old.faint
			b.set(i, f, plain)
			return
		case replaces(f, old.finding):
			old.gone = true
			b.slots = append(b.slots, slot{})
			b.set(len(b.slots)-1, f, plain)
			return
		}
	}
	b.slots = append(b.slots, slot{})
	b.set(len(b.slots)-1, f, plain)
}

func (b *board) set(i int, f finding, plain string) {
	if b.bare == nil {
		b.bare, b.heads = map[string][]int{}, map[string][]int{}
	}
	b.slots[i] = slot{finding: f, bare: plain}
	b.bare[plain] = append(b.bare[plain], i)
	if len(f.text) > leastPart {
		b.heads[f.text[:leastPart]] = append(b.heads[f.text[:leastPart]], i)
	}
	b.put(i, f.terms)
}

// alike are the slots, in their order, that may hold what a finding repeats or takes the
// place of.
func (b *board) alike(f finding, plain string) []int {
	out := slices.Clone(b.bare[plain])
	if len(f.text) > leastPart {
		out = append(out, b.heads[f.text[:leastPart]]...)
	}
	if f.score >= Threshold {
		out = append(out, b.near(f.terms, func(set, shared int) bool {
			return float64(shared) >= aboutShare*float64(min(len(f.terms), len(b.slots[set].terms)))
		})...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// all are the findings that are left.
func (b *board) all() (out []finding) {
	for _, s := range b.slots {
		if !s.gone {
			out = append(out, s.finding)
		}
	}
	return out
}
