// Package signs compares vectors by the signs of their differences from a mean: 64 numbers
// in one step, to choose what is compared by its numbers then. The mean is taken away since
// the vectors of some models lie close together, so that most signs were the same for all.
package signs

import (
	"math"
	"math/bits"
)

// Words is how many words the signs of a vector fill.
func Words(dim int) int { return (dim + 63) / 64 }

// Set sets the bits where v is above mean.
func Set(v, mean []float32, bits []uint64) {
	clear(bits)
	for i, x := range v {
		if x > mean[i] {
			bits[i/64] |= 1 << (i % 64)
		}
	}
}

// Mean is that of n vectors.
func Mean(n, dim int, row func(i int) []float32) []float32 {
	sum := make([]float64, dim)
	for i := range n {
		for k, x := range row(i) {
			sum[k] += float64(x)
		}
	}
	mean := make([]float32, dim)
	for i, x := range sum {
		mean[i] = float32(x / float64(max(1, n)))
	}
	return mean
}

// Closed is the distance of a row that may not be found.
const Closed = math.MaxUint16

// Distances counts, for each row of signs, those that differ from those of q.
func Distances(q, mean []float32, rows []uint64) []uint16 {
	w := Words(len(q))
	mine := make([]uint64, w)
	Set(q, mean, mine)
	out := make([]uint16, len(rows)/w)
	if w == 6 { // 384 numbers, as both embedded models have: twice as fast
		six([6]uint64(mine), rows, out)
		return out
	}
	for i := range out {
		n := 0
		for j, b := range rows[i*w : i*w+w] {
			n += bits.OnesCount64(b ^ mine[j])
		}
		out[i] = uint16(n)
	}
	return out
}

func six(q [6]uint64, rows []uint64, out []uint16) {
	for i := range out {
		d := (*[6]uint64)(rows[6*i:])
		out[i] = uint16(bits.OnesCount64(d[0]^q[0]) + bits.OnesCount64(d[1]^q[1]) + bits.OnesCount64(d[2]^q[2]) +
			bits.OnesCount64(d[3]^q[3]) + bits.OnesCount64(d[4]^q[4]) + bits.OnesCount64(d[5]^q[5]))
	}
}

// Within is the distance within which at least n rows lie that are not closed.
func Within(far []uint16, dim, n int) int {
	hist := make([]int, dim+64)
	for _, d := range far {
		if d != Closed {
			hist[d]++
		}
	}
	for d, k := range hist {
		if n -= k; n <= 0 {
			return d
		}
	}
	return len(hist)
}
