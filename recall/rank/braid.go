package rank

import (
	"maps"
	"slices"
)

// Braid puts ranked lists together: each keeps its order, and of their heads the one
// with the better score comes first. Of equal keys the first list's counts, which is
// the repository's.
func Braid(lists [][]Scored) (out []Scored) {
	placed := map[string]bool{}
	for i, list := range lists {
		own := map[string]bool{}
		lists[i] = slices.DeleteFunc(list, func(s Scored) bool { own[s.Meta.Key] = true; return placed[s.Meta.Key] })
		maps.Copy(placed, own)
	}
	for {
		best := -1
		for i, l := range lists {
			if len(l) > 0 && (best < 0 || l[0].Score > lists[best][0].Score) {
				best = i
			}
		}
		if best < 0 {
			return out
		}
		out, lists[best] = append(out, lists[best][0]), lists[best][1:]
	}
}
