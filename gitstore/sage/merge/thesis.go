package merge

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A stance is what theses a checkpoint holds: none, one, or several that nobody
// has settled yet, each with the checkpoint that held it.
//
// Each thesis, by its text, is in one of these states against the base, and
// merging takes the later one: as in the base, dropped, held by a checkpoint
// that is not the one in the base, and of several such the one with the
// smallest id. So two sides that settle one disagreement differently disagree
// again, and nothing that was thought since the base is dropped.
//
// Confidence belongs to a thesis. It is that of the side whose thesis it is;
// the smaller one, where both sides came to the same thesis or both have a new
// confidence in the old one; none, where theses disagree.
type stance struct {
	from       map[string]string // thesis to the id of who held it
	settled    map[string]string // as from, but only what is no component of a disagreement
	confidence *float64
}

// stanceOf reads the stance of c. A thesis that is still the base's is held by
// the base.
func stanceOf(c, base *sage.Checkpoint) stance {
	s := stance{from: map[string]string{}, settled: map[string]string{}, confidence: Number(c.Confidence)}
	switch {
	case c.Thesis == sage.NeedsSynthesis && len(c.ComponentTheses) > 0:
		for _, t := range c.ComponentTheses {
			s.hold(t.Thesis, t.From)
		}
	case c.Thesis != "" && c.Thesis == base.Thesis:
		s.from[c.Thesis], s.settled[c.Thesis] = base.ID, base.ID
	case c.Thesis != "":
		s.from[c.Thesis], s.settled[c.Thesis] = c.ID, c.ID
	}
	if len(s.from) > 1 {
		s.confidence = nil
	}
	return s
}

func (s stance) hold(thesis, from string) {
	if old, ok := s.from[thesis]; !ok || from < old {
		s.from[thesis] = from
	}
}

func mergeStance(base, left, right *sage.Checkpoint) stance {
	x, a, b := stanceOf(base, base), stanceOf(left, base), stanceOf(right, base)
	m := stance{from: map[string]string{}, settled: map[string]string{}}
	for _, side := range []stance{a, b} {
		for thesis, from := range side.from {
			if x.holds(thesis, from) && !(a.holds(thesis, from) && b.holds(thesis, from)) {
				continue // the other side dropped it, or holds it anew
			}
			m.hold(thesis, from)
		}
	}
	for _, side := range []stance{a, b} {
		for thesis, from := range side.settled {
			if m.holds(thesis, from) {
				m.settled[thesis] = from
			}
		}
	}
	m.confidence = mergeConfidence(x, a, b, m)
	return m
}

func (s stance) holds(thesis, from string) bool {
	f, ok := s.from[thesis]
	return ok && f == from
}

func mergeConfidence(x, a, b, m stance) *float64 {
	if len(m.from) > 1 {
		return nil
	}
	unchanged := maps.Equal(m.from, x.from)
	var out *float64
	if unchanged {
		out = x.confidence
	}
	found := false
	for _, side := range []stance{a, b} {
		if !m.agrees(side, x) || unchanged && EqualFloat(side.confidence, x.confidence) {
			continue
		}
		if found {
			out = smaller(out, side.confidence)
		} else {
			out, found = side.confidence, true
		}
	}
	return out
}

// agrees reports whether side holds the theses that s does, and both or none of
// them hold each as x does.
func (s stance) agrees(side, x stance) bool {
	if len(s.from) != len(side.from) {
		return false
	}
	for thesis, from := range s.from {
		f, ok := side.from[thesis]
		if !ok || x.holds(thesis, from) != x.holds(thesis, f) {
			return false
		}
	}
	return true
}

func (s stance) putIn(c *sage.Checkpoint) {
	if s.confidence != nil {
		f := *s.confidence
		c.Confidence = &f
	}
	if len(s.from) == 1 && len(s.settled) == 1 {
		for thesis := range s.settled {
			c.Thesis = thesis
		}
		return
	}
	for thesis, from := range s.from {
		c.Thesis = sage.NeedsSynthesis
		c.ComponentTheses = append(c.ComponentTheses, sage.ComponentThesis{From: from, Thesis: thesis})
	}
	slices.SortFunc(c.ComponentTheses, func(a, b sage.ComponentThesis) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Thesis, b.Thesis))
	})
}

// Number is f, or nil if it is none: NaN is smaller than nothing and equal to
// nothing.
func Number(f *float64) *float64 {
	if f == nil || math.IsNaN(*f) {
		return nil
	}
	return f
}

func EqualFloat(a, b *float64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// smaller takes no number for larger than any.
func smaller(a, b *float64) *float64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
