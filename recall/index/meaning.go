package index

import (
	"cmp"
	"slices"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
	"github.com/git-sage/git-sage/recall/index/signs"
)

// A meaningLeg finds the chunks that are nearest to a vector.
type meaningLeg struct {
	q      []float32
	segs   []*segment.Segment
	vsegs  []*vectors.Vectors
	graphs map[string]*graph
	open   [][]bool // by segment and document: whether it may be found, as far as that can be said at no cost
	pass   func(place) (bool, error)
	known  map[segment.Hash]compared // what was found to be near
}

// fewVectors is up to how many vectors all are compared exactly: 0.15 ms.
const fewVectors = 1024

// Of the rows that are nearest by their signs, at least ball are compared exactly: with
// e5 and 5,882 chat turns the ten nearest are among the first 300 for .993, among the
// first 1,000 for .9992; on vectors in groups 300 are enough for all (TestScanFindsAll).
// Who wants no more than ten looks for what says the same, which is nearer than what answers
// a question, and to read a row takes 6 µs. A vector of fewer numbers has fewer signs, which
// tell less.
const (
	ball      = 1000
	ballOfTen = 300
	ballOfDim = 384
)

// spare rows must pass a filter for each document that is wanted, and least of those that are
// compared, so that those whose signs are misleading are there as well.
const spare, least = 6, 0.3

// A try takes a row that is near and counts the documents it belongs to that may be found,
// and those of them that no row before belonged to.
type try func(row compared) (passed, added int, err error)

// nearest calls try with rows from the nearest on, until enough of them passed.
func (m *meaningLeg) nearest(v *vectors.Vectors, want int, try try) error {
	if enough, err := m.throughGraph(v, want, try); enough || err != nil {
		return err
	}
	far := signs.Distances(m.q, v.Mean, v.Bits)
	all := m.close(v, far)
	first := ball
	if want <= 10 {
		first = ballOfTen
	}
	first = max(2*want, first, first*ballOfDim/v.Dim, all/1000)
	if all <= fewVectors {
		first = all
	}
	enough := max(float64(spare*want), least*float64(first))
	t := tried{want: want, rate: enough / float64(first)}
	read := v.Sparing()
	for limit, from := first, -1; ; limit *= 4 {
		to := signs.Within(far, v.Dim, limit)
		rows, err := m.compared(v, read, far, from, to)
		if err != nil {
			return err
		}
		for i, r := range rows {
			if from < 0 && t.satisfied(i, r.cosine) {
				return nil
			}
			passed, added, err := try(r)
			if err != nil {
				return err
			}
			t.count(passed, added, r.cosine)
		}
		if float64(t.passed) >= enough || limit >= all {
			return nil
		}
		from = to
	}
}

// tried counts what passed of the rows that were compared exactly, the nearest first.
type tried struct {
	want         int     // documents
	rate         float64 // of the rows that must pass for the first ones to be enough
	passed, docs int
	last         float64 // the cosine of the document that made them as many as wanted
}

func (t *tried) count(passed, added int, cosine float64) {
	if passed > 0 {
		t.passed++
	}
	if t.docs < t.want {
		t.docs, t.last = t.docs+added, cosine
	}
}

// satisfied reports whether the rows up to one tell all that is wanted: there are enough
// documents, none of them as far as this one, and as many rows passed as make it likely that
// enough of the first ones do.
func (t *tried) satisfied(rows int, cosine float64) bool {
	return t.docs >= t.want && cosine < t.last && float64(t.passed) >= t.rate*float64(rows)
}

// close closes the rows of which no document may be found, and counts the others: where few
// of many may, as the checkpoints among 100,000 items, all that is compared is theirs.
func (m *meaningLeg) close(v *vectors.Vectors, far []uint16) (open int) {
	is := make([]bool, v.Len())
	for i, s := range m.segs {
		may := m.open[i]
		for _, o := range v.OwnersIn(s) {
			if may[o.Doc] {
				is[o.Row] = true
			}
		}
	}
	for i, ok := range is {
		if ok {
			open++
		} else {
			far[i] = signs.Closed
		}
	}
	return open
}

// A compared row is one with its cosine. Its vector is read anew where it is wanted, of one in
// ten: to keep them all takes a megabyte that the process does not have yet.
type compared struct {
	i      int
	read   func(int) ([]float32, error)
	cosine float64
}

// compared are the rows at a distance above from and up to to, the nearest first. Of the
// first ones most pass; where few did, what passes is asked before a row is read, which
// takes longer.
func (m *meaningLeg) compared(v *vectors.Vectors, read func(int) ([]float32, error), far []uint16, from, to int) ([]compared, error) {
	var out []compared
	var places []place
	for i, d := range far {
		if int(d) <= from || int(d) > to {
			continue
		}
		if from >= 0 {
			places = placesOf(places[:0], m.segs, v.Names[i])
			if ok, err := m.anyPasses(places); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		row, err := read(i)
		if err != nil {
			return nil, err
		}
		if c := vectors.Dot(m.q, row); c == c { // not NaN
			out = append(out, compared{i, read, c})
		}
	}
	slices.SortFunc(out, func(a, b compared) int { return cmp.Compare(b.cosine, a.cosine) })
	return out, nil
}

func (m *meaningLeg) anyPasses(places []place) (bool, error) {
	for _, p := range places {
		if ok, err := m.pass(p); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// of tells in h of a document's best chunk, if it has one with a vector.
func (m *meaningLeg) of(s *segment.Segment, doc uint32, h *Hit) error {
	var best func() ([]float32, error)
	h.Chunks = int(s.Docs[doc+1].Chunk - s.Docs[doc].Chunk)
	for n, c := range s.Names[s.Docs[doc].Chunk:s.Docs[doc+1].Chunk] {
		r, known := m.known[c.Name]
		read := func() ([]float32, error) { return r.read(r.i) }
		if !known {
			row, err := m.row(c.Name)
			if err != nil {
				return err
			}
			if row == nil {
				continue
			}
			r.cosine = vectors.Dot(m.q, row)
			read = func() ([]float32, error) { return row, nil }
		}
		if s := r.cosine; s == s && (!h.Vector || s > h.Cosine) { // not NaN
			h.Cosine, h.Chunk, h.Vector, best = s, n, true, read
		}
	}
	if best == nil {
		return nil
	}
	row, err := best()
	h.Nearest = slices.Clone(row) // of a mapped file, or read over
	return err
}

// row is the vector of a chunk, nil if there is none.
func (m *meaningLeg) row(name segment.Hash) ([]float32, error) {
	for _, v := range m.vsegs {
		if i := v.Find(name); i >= 0 {
			return v.Row(i)
		}
	}
	return nil, nil
}

// mean is that of all vectors, from those of the segments.
func (m *meaningLeg) mean() (n int, mean []float32) {
	for _, v := range m.vsegs {
		n += v.Len()
	}
	if n == 0 {
		return 0, nil
	}
	mean = make([]float32, len(m.q))
	for _, v := range m.vsegs {
		part := float32(v.Len()) / float32(n)
		for i, x := range v.Mean {
			mean[i] += part * x
		}
	}
	return n, mean
}

// ranked are the documents of the nearest chunks.
func (m *meaningLeg) ranked(want int) (*ranking, error) {
	r := &ranking{segs: m.segs}
	m.known = map[segment.Hash]compared{}
	best := map[place]float64{}
	var places []place // of the chunk that is looked at
	for _, v := range m.vsegs {
		err := m.nearest(v, want, func(row compared) (passed, added int, err error) {
			places = placesOf(places[:0], m.segs, v.Names[row.i])
			seg, here := -1, 0
			for _, p := range places {
				if p.seg != seg {
					seg, here = p.seg, 0
				}
				if here == want { // those that follow have the same score, and come later in the order
					continue
				}
				ok, err := m.pass(p)
				if err != nil {
					return 0, 0, err
				}
				if !ok {
					continue
				}
				passed++
				here++
				old, known := best[p]
				if !known {
					added++
				}
				if !known || row.cosine > old {
					best[p] = row.cosine
				}
			}
			if passed > 0 {
				m.known[v.Names[row.i]] = row
			}
			return passed, added, nil
		})
		if err != nil {
			return nil, err
		}
	}
	for p, score := range best {
		r.add(p, score)
	}
	return r, nil
}

// placesOf adds the documents with a chunk of this name, dead or not.
func placesOf(out []place, segs []*segment.Segment, name segment.Hash) []place {
	for i, s := range segs {
		s.WithChunk(name, func(doc uint32) { out = append(out, place{i, doc}) })
	}
	return out
}
