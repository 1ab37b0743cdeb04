package index

import (
	"math/bits"
	"slices"
)

// A meaningLeg finds the chunks that are nearest to a vector.
type meaningLeg struct {
	q      []float32
	segs   []*segment
	vsegs  []*vectors
	graphs map[string]*graph
	known  map[hash][]float32 // of what was compared
}

// fewVectors is up to how many vectors all are compared exactly: 0.15 ms.
const fewVectors = 1024

// nearest calls try with the rows that may be among the want nearest, until enough of
// them passed. By their signs the best 300, or a thousandth if that is more, are
// enough to find the ten nearest on all sets that were tried (TestScanFindsAll); for
// more that are wanted more are kept.
func (m *meaningLeg) nearest(v *vectors, want int, try func(row int) (bool, error)) error {
	if enough, err := m.throughGraph(v, want, try); enough || err != nil {
		return err
	}
	want = max(want, 300, 300*384/v.dim, v.len()/1000) // fewer signs tell less
	if v.len() <= fewVectors {
		want = v.len()
	}
	far, passed := v.distances(m.q), 0
	for limit, from := want, -1; ; limit *= 4 {
		to := within(far, v.dim, limit)
		for i, d := range far {
			if int(d) <= from || int(d) > to {
				continue
			}
			ok, err := try(i)
			if err != nil {
				return err
			}
			if ok {
				passed++
			}
		}
		if passed >= want || limit >= v.len() {
			return nil
		}
		from = to
	}
}

// distances counts, for each row, the signs that differ from those of q.
func (v *vectors) distances(q []float32) []uint16 {
	w := wordsOf(v.dim)
	mine := make([]uint64, w)
	signs(q, v.mean, mine)
	out := make([]uint16, v.len())
	if w == 6 { // 384 numbers, as both embedded models have: twice as fast
		scan6(([6]uint64)(mine), v.bits, out)
		return out
	}
	for i := range out {
		n := 0
		for j, b := range v.bits[i*w : i*w+w] {
			n += bits.OnesCount64(b ^ mine[j])
		}
		out[i] = uint16(n)
	}
	return out
}

func scan6(q [6]uint64, data []uint64, out []uint16) {
	for i := range out {
		d := (*[6]uint64)(data[6*i:])
		out[i] = uint16(bits.OnesCount64(d[0]^q[0]) + bits.OnesCount64(d[1]^q[1]) + bits.OnesCount64(d[2]^q[2]) +
			bits.OnesCount64(d[3]^q[3]) + bits.OnesCount64(d[4]^q[4]) + bits.OnesCount64(d[5]^q[5]))
	}
}

// within is the distance within which at least n rows lie.
func within(far []uint16, dim, n int) int {
	hist := make([]int, dim+64)
	for _, d := range far {
		hist[d]++
	}
	for d, k := range hist {
		if n -= k; n <= 0 {
			return d
		}
	}
	return len(hist)
}

// of tells in h of a document's best chunk, if it has one with a vector.
func (m *meaningLeg) of(s *segment, doc uint32, h *Hit) error {
	var best []float32
	for n, c := range s.names[s.docs[doc].Chunk:s.docs[doc+1].Chunk] {
		row, err := m.row(c.Name)
		if err != nil {
			return err
		}
		if row == nil {
			continue
		}
		if score := dot(m.q, row); score == score && (!h.Vector || score > h.Cosine) { // not NaN
			h.Cosine, h.Chunk, h.Vector, best = score, n, true, row
		}
	}
	h.Nearest = slices.Clone(best) // of a mapped file
	return nil
}

// row is the vector of a chunk, nil if there is none.
func (m *meaningLeg) row(name hash) ([]float32, error) {
	if row, ok := m.known[name]; ok {
		return row, nil
	}
	for _, v := range m.vsegs {
		if i := v.find(name); i >= 0 {
			return v.row(i)
		}
	}
	return nil, nil
}

// mean is that of all vectors, from those of the segments.
func (m *meaningLeg) mean() (n int, mean []float32) {
	for _, v := range m.vsegs {
		n += v.len()
	}
	if n == 0 {
		return 0, nil
	}
	mean = make([]float32, len(m.q))
	for _, v := range m.vsegs {
		part := float32(v.len()) / float32(n)
		for i, x := range v.mean {
			mean[i] += part * x
		}
	}
	return n, mean
}

// ranked are the documents of the nearest chunks.
func (m *meaningLeg) ranked(want int, pass func(place) (bool, error)) (*ranking, error) {
	r := &ranking{segs: m.segs}
	m.known = map[hash][]float32{}
	best := map[place]float64{}
	var places []place // of the chunk that is looked at
	for _, v := range m.vsegs {
		err := m.nearest(v, want, func(i int) (bool, error) {
			places = placesOf(places[:0], m.segs, v.names[i])
			n := 0
			for _, p := range places {
				ok, err := pass(p)
				if err != nil {
					return false, err
				}
				if ok {
					places[n], n = p, n+1
				}
			}
			if n == 0 {
				return false, nil
			}
			row, err := v.row(i)
			if err != nil {
				return false, err
			}
			score := dot(m.q, row)
			m.known[v.names[i]] = row
			for _, p := range places[:n] {
				if old, ok := best[p]; !ok || score > old {
					best[p] = score
				}
			}
			return true, nil
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
func placesOf(out []place, segs []*segment, name hash) []place {
	for i, s := range segs {
		s.withChunk(name, func(doc uint32) { out = append(out, place{i, doc}) })
	}
	return out
}
