package index

import (
	"math/bits"
	"slices"
)

// A meaningLeg finds the chunks that are nearest to a vector.
type meaningLeg struct {
	q     []float32
	segs  []*segment
	vsegs []*vectors
}

// fewVectors is up to how many vectors all are compared exactly: 0.15 ms.
const fewVectors = 1024

// nearest returns, of each segment of vectors, the rows that may be among the want
// nearest, of those that pass. By their signs the best 300, or a thousandth if that
// is more, are enough to find the ten nearest on all sets that were tried; for more
// that are wanted more are kept.
func (m *meaningLeg) nearest(v *vectors, want int, passes func(hash) (bool, error)) ([]int, error) {
	want = max(want, 300, v.len()/1000)
	if v.len() <= fewVectors || v.len() <= want {
		want = v.len()
	}
	far := v.distances(m.q)
	var out []int
	for limit, from := want, -1; ; limit *= 4 {
		to := within(far, v.dim, limit)
		for i, d := range far {
			if int(d) <= from || int(d) > to {
				continue
			}
			ok, err := passes(v.names[i])
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, i)
			}
		}
		if len(out) >= want || limit >= v.len() {
			return out, nil
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
		if score := dot(m.q, row); !h.Vector || score > h.Cosine {
			h.Cosine, h.Chunk, h.Vector, best = score, n, true, row
		}
	}
	h.Nearest = slices.Clone(best) // of a mapped file
	return nil
}

// row is the vector of a chunk, nil if there is none.
func (m *meaningLeg) row(name hash) ([]float32, error) {
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

// ranked are the documents of the nearest chunks, the best last.
func (m *meaningLeg) ranked(want int, pass func(place) (bool, error)) (*ranking, error) {
	r := &ranking{segs: m.segs}
	best := map[place]float64{}
	for _, v := range m.vsegs {
		passes := func(name hash) (bool, error) {
			any := false
			for _, p := range placesOf(m.segs, name) {
				ok, err := pass(p)
				if err != nil {
					return false, err
				}
				any = any || ok
			}
			return any, nil
		}
		near, err := m.nearest(v, want, passes)
		if err != nil {
			return nil, err
		}
		for _, i := range near {
			row, err := v.row(i)
			if err != nil {
				return nil, err
			}
			score := dot(m.q, row)
			for _, p := range placesOf(m.segs, v.names[i]) {
				if ok, err := pass(p); err != nil {
					return nil, err
				} else if !ok {
					continue
				}
				if old, ok := best[p]; !ok || score > old {
					best[p] = score
				}
			}
		}
	}
	for p, score := range best {
		r.add(p, score)
	}
	return r, nil
}

// placesOf are the documents with a chunk of this name, dead or not.
func placesOf(segs []*segment, name hash) []place {
	var out []place
	for i, s := range segs {
		for _, r := range find(s.chunks, name) {
			out = append(out, place{i, r.Doc})
		}
	}
	return out
}
