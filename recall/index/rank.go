package index

import (
	"slices"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// A place is where a document lies.
type place struct {
	seg int
	doc uint32
}

// A ranking gives out documents from the best to the worst, those with one score by
// the hash of their key, so that the order does not depend on segments.
type ranking struct {
	segs []*segment.Segment
	list []scored
}

type scored struct {
	place
	score float64
}

// add adds a document, unless its score is NaN, which has no place in an order.
func (r *ranking) add(p place, score float64) {
	if score == score {
		r.list = append(r.list, scored{p, score})
	}
}

// mostForeign bounds how many are passed over for being from elsewhere, as a multiple of what
// is asked for.
const mostForeign = 5

// take returns up to n of the best that pass. Few of many are asked for, so that only
// some times n are sorted, and more if too few of them pass. What nobody here stands for leaves
// a quarter of the room to what somebody does: anybody can send any number of texts that rank
// before all others.
func (r *ranking) take(n int, pass, foreign func(place) (bool, error)) ([]place, error) {
	var out, spare []place
	theirs := 0
	for rest, some := r.list, 2*n+16; len(rest) > 0; some *= 4 {
		some = min(some, len(rest))
		r.part(rest, some)
		slices.SortFunc(rest[:some], r.compare)
		for _, s := range rest[:some] {
			ok, err := pass(s.place)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			if ok, err = foreign(s.place); err != nil {
				return nil, err
			}
			switch {
			case ok && theirs >= n-n/4:
				spare = append(spare, s.place)
			case ok:
				theirs++
				fallthrough
			default:
				out = append(out, s.place)
			}
			if len(out) == n || len(spare) == mostForeign*n {
				return append(out, spare[:min(len(spare), n-len(out))]...), nil
			}
		}
		rest = rest[some:]
	}
	return append(out, spare[:min(len(spare), n-len(out))]...), nil
}

// part brings the best n of list to its front (quickselect).
func (r *ranking) part(list []scored, n int) {
	for from, to := 0, len(list); to-from > 1 && n > from && n < to; {
		pivot := list[(from+to)/2]
		i, j := from, to-1
		for i <= j {
			for r.compare(list[i], pivot) < 0 {
				i++
			}
			for r.compare(list[j], pivot) > 0 {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		if n <= j+1 {
			to = j + 1
		} else if n >= i {
			from = i
		} else {
			return
		}
	}
}

func (r *ranking) compare(a, b scored) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return r.segs[a.seg].Docs[a.doc].Key.Compare(r.segs[b.seg].Docs[b.doc].Key)
}
