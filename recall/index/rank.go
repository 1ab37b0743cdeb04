package index

import "container/heap"

// A place is where a document lies.
type place struct {
	seg int
	doc uint32
}

// A ranking gives out documents from the best to the worst, those with one score by
// the hash of their key, so that the order does not depend on segments. Making it is
// linear, and few are asked for.
type ranking struct {
	segs   []*segment
	places []place
	scores []float64
}

func (r *ranking) add(p place, score float64) {
	r.places, r.scores = append(r.places, p), append(r.scores, score)
}

// take removes up to n of the best that pass.
func (r *ranking) take(n int, pass func(place) (bool, error)) ([]place, error) {
	heap.Init(r)
	var out []place
	for len(out) < n && r.Len() > 0 {
		p := heap.Pop(r).(place)
		ok, err := pass(p)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}

func (r *ranking) Len() int { return len(r.places) }

func (r *ranking) Less(i, j int) bool {
	if r.scores[i] != r.scores[j] {
		return r.scores[i] > r.scores[j]
	}
	a, b := r.places[i], r.places[j]
	return r.segs[a.seg].docs[a.doc].Key.compare(r.segs[b.seg].docs[b.doc].Key) < 0
}

func (r *ranking) Swap(i, j int) {
	r.places[i], r.places[j] = r.places[j], r.places[i]
	r.scores[i], r.scores[j] = r.scores[j], r.scores[i]
}

// Push is not called: all are there from the beginning.
func (r *ranking) Push(any) { panic("push") }

// Pop removes the last.
func (r *ranking) Pop() any {
	n := len(r.places) - 1
	p := r.places[n]
	r.places, r.scores = r.places[:n], r.scores[:n]
	return p
}
