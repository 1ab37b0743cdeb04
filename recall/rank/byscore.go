package rank

import (
	"cmp"
	"slices"
)

// ByScore orders what was chosen and is shown with its scores, so that these explain
// the order: the best first, what was replaced behind what replaced it, and last what was
// written for code that changed.
func ByScore[T any](list []T, of func(*T) *Scored) {
	most := map[string]float64{} // by key, of those looked at: a score, but none above what replaced it
	for i := range list {
		s := of(&list[i])
		score := s.Score
		for _, newer := range s.Newer { // stand before it, unless they replace each other
			if n, ok := most[newer]; ok {
				score = min(score, n)
			}
		}
		most[s.Meta.Key] = score
	}
	slices.SortStableFunc(list, func(a, b T) int {
		x, y := of(&a), of(&b)
		if (x.Outlived == "") != (y.Outlived == "") {
			return cmp.Compare(x.Outlived, y.Outlived) // none is before any
		}
		return cmp.Compare(most[y.Meta.Key], most[x.Meta.Key])
	})
}

// Precedence puts what is always given before what was chosen, that before what fits and
// was left out for its size or its place, and that before the rest.
func (s *Scored) Precedence() int {
	switch {
	case s.Chosen && s.Meta.Always && s.Outdated == "":
		return 3
	case s.Chosen:
		return 2
	case s.Score >= s.Threshold || len(s.Triggers.Exact) > 0:
		return 1
	}
	return 0
}
