package embed

// attend computes one head of one text into y: the softmax of queries times keys,
// times values, for a tile of queries at a time. The queries' weights hold the scale.
func (b *batch) attend(scratch []float32, s span, head int) {
	dim, ld := b.hidden/b.heads, 3*b.hidden
	padded := (s.n + lanes - 1) / lanes * lanes
	keys, scratch := scratch[:dim*padded], scratch[dim*padded:]
	p, out := scratch[:tile*padded], scratch[tile*padded:][:tile*dim]

	base := s.from*ld + head*dim
	queries, values := b.qkv[base:], b.qkv[base+2*b.hidden:]
	b.turn(keys, b.qkv[base+b.hidden:], s.n, padded, dim)
	for t := 0; t < s.n; t += tile {
		b.with.matmul(p, padded, queries[t*ld:], ld, keys, padded, dim, padded)
		rows := min(tile, s.n-t)
		var sums [tile]float32
		for r := range rows {
			sums[r] = b.weigh(row(p, r, padded), s.n)
		}
		b.with.matmul(out, dim, p, padded, values, ld, s.n, dim)
		for r := range rows {
			to := row(b.y, s.from+t+r, b.hidden)[head*dim:]
			for j, v := range row(out, r, dim) {
				to[j] = v / sums[r]
			}
		}
	}
}

// turn lays the n keys of a head out by columns.
func (b *batch) turn(to, keys []float32, n, padded, dim int) {
	for t := range n {
		for d, v := range keys[t*3*b.hidden:][:dim] {
			to[d*padded+t] = v
		}
	}
}

// weigh makes the first n numbers of p weights and returns their sum. Those behind
// them belong to no token.
func (b *batch) weigh(p []float32, n int) float32 {
	for i := n; i < len(p); i++ {
		p[i] = -1e30
	}
	return b.with.softmax(p)
}
