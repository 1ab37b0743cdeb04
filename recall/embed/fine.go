package embed

import "math"

// Texts of a few tokens are rounded twice: what 8 bits leave over is rounded to 8 bits
// again, and goes through each linear map as well. There, nothing averages the errors
// out: with all-MiniLM-L6-v2 the least cosine to the float32 model, that of "...", is
// .9929 without. fineTokens is where it stops being the least; a text of 8 tokens costs
// half a millisecond more.
const fineTokens = 8

// fine is the second half of the numbers of short texts' rows.
type fine struct {
	rows  []bool // which rows have one
	tiles []bool // which tiles have such a row
	q     []int8
	scale []float32 // 0 where there is none: then the products count nothing
	sums  []int32
}

// refine makes place for the second halves, if there is a short text.
func (b *batch) refine() {
	for _, s := range b.spans {
		if s.n > fineTokens {
			continue
		}
		if b.fine.rows == nil {
			b.fine = fine{
				make([]bool, b.rows), make([]bool, b.rows/tile),
				make([]int8, b.rows*max(b.inner, b.hidden)*b.with.wide), make([]float32, b.rows), make([]int32, b.rows),
			}
		}
		for r := s.from; r < s.from+s.n; r++ {
			b.fine.rows[r], b.fine.tiles[r/tile] = true, true
		}
	}
}

// quantFine quantises row r in two halves.
func (b *batch) quantFine(r int, x []float32) {
	coarse, rest := make([]float32, len(x)), make([]float32, len(x))
	var most float32
	for _, v := range x {
		most = max(most, v, -v)
	}
	step := most / 127
	for i, v := range x {
		if step > 0 {
			coarse[i] = float32(math.RoundToEven(float64(v/step))) * step
		}
		rest[i] = v - coarse[i]
	}
	wide := len(x) * b.with.wide
	b.scale[r], b.sums[r] = b.with.quant(b.q[r*wide:(r+1)*wide], coarse)
	b.fine.scale[r], b.fine.sums[r] = b.with.quant(b.fine.q[r*wide:(r+1)*wide], rest)
}

// addFine adds to the outputs from n on, of the tile of rows at r, what comes of the
// second halves.
func (b *batch) addFine(y []float32, l *linear, r, n int, w []byte) {
	if b.fine.rows == nil || !b.fine.tiles[r/tile] {
		return
	}
	var more [tile * block]float32
	var none [block]float32
	wide := l.k * b.with.wide
	b.with.gemm(more[:], block, b.fine.q[r*wide:(r+tile)*wide], l.k, w, b.fine.scale[r:], b.fine.sums[r:], l.scale[n:n+block], none[:])
	for i := range tile {
		for j, v := range row(more[:], i, block) {
			y[(r+i)*l.n+n+j] += v
		}
	}
}
