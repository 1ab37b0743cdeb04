package embed

import (
	"math"
	"sync"
)

// span is the rows of one text.
type span struct{ from, n int }

// batch is texts on their way through the network: their tokens are the rows of the
// matrices, laid end to end without padding. rows is rounded up to whole tiles.
type batch struct {
	*network
	with         kernel
	ids          [][]int32
	spans        []span
	rows, most   int
	x, y, qkv, h []float32
	q            []int8 // the quantised rows that the next linear map is applied to
	scale        []float32
	sums         []int32
	fine         fine
}

// buffers are what a batch computes in. They are kept: fresh memory costs 0.1 ms a
// megabyte, and a batch of 256 tokens wants 5.
type buffers struct {
	f []float32
	q []int8
	s []int32
}

var spare = sync.Pool{New: func() any { return new(buffers) }}

// run computes one vector for each of ids, on one goroutine or two. None of ids is
// empty.
func (n *network) run(with kernel, ids [][]int32, two bool) [][]float32 {
	b := &batch{network: n, with: with, ids: ids}
	for _, s := range ids {
		b.spans = append(b.spans, span{b.rows, len(s)})
		b.rows += len(s)
		b.most = max(b.most, len(s))
	}
	b.rows = (b.rows + tile - 1) / tile * tile
	mem := spare.Get().(*buffers)
	defer spare.Put(mem)
	b.allocate(mem)
	b.refine()
	t := &team{phases: make([]phase, 2+phasesPerLayer*len(n.layers))}
	if two {
		go b.forward(&member{team: t, helps: true})
	}
	b.forward(&member{team: t})
	t.alone.Store(true) // a helper that comes late finds every item claimed, and touches nothing
	return b.pool()
}

// allocate cuts the matrices out of mem. Whole tiles read up to a tile of rows
// beyond the last row of a text.
func (b *batch) allocate(mem *buffers) {
	r := b.rows + tile
	wide := max(b.inner, b.hidden) // h is also what comes out of attention
	need := r * (5*b.hidden + wide + 1)
	if len(mem.f) < need {
		mem.f = make([]float32, need)
	}
	if n := b.rows * wide * b.with.wide; len(mem.q) < n {
		mem.q = make([]int8, n)
	}
	if len(mem.s) < b.rows {
		mem.s = make([]int32, b.rows)
	}
	free := mem.f
	cut := func(n int) []float32 {
		f := free[:n:n]
		free = free[n:]
		return f
	}
	b.x, b.y, b.qkv, b.h = cut(r*b.hidden), cut(r*b.hidden), cut(r*3*b.hidden), cut(r*wide)
	b.scale, b.q, b.sums = cut(b.rows), mem.q, mem.s
}

const phasesPerLayer = 9

// forward is the program that each member runs. Its calls of each are the phases, so
// that all members have to come to all of them.
func (b *batch) forward(m *member) {
	padded := (b.most + lanes - 1) / lanes * lanes
	head := b.hidden / b.heads
	m.scratch = make([]float32, (head+tile)*padded+tile*head)
	copied := make([]float32, b.hidden)
	m.each(len(b.ids), b.embed)
	b.eachRow(m, func(r int) { b.norm(copied, r, nil, &b.ln) })
	for i := range b.layers {
		l := &b.layers[i]
		b.linear(m, b.qkv, &l.qkv)
		m.each(len(b.spans)*b.heads, func(i int) { b.attend(m.scratch, b.spans[i/b.heads], i%b.heads) })
		b.eachRow(m, func(r int) { b.quant(r, row(b.y, r, b.hidden)) })
		b.linear(m, b.h, &l.o)
		b.eachRow(m, func(r int) { b.norm(copied, r, b.h, &l.ln1) })
		b.linear(m, b.h, &l.f1)
		b.eachRow(m, func(r int) {
			h := row(b.h, r, b.inner)
			b.with.gelu(h, l.in)
			b.quant(r, h)
		})
		b.linear(m, b.y, &l.f2)
		b.eachRow(m, func(r int) { b.norm(copied, r, b.y, &l.ln2) })
	}
}

func row(x []float32, r, n int) []float32 { return x[r*n : r*n+n : r*n+n] }

// eachRow is a phase that runs f for every row, a tile of them at a time.
func (b *batch) eachRow(m *member, f func(r int)) {
	m.each(b.rows/tile, func(i int) {
		for r := i * tile; r < i*tile+tile; r++ {
			f(r)
		}
	})
}

// embed fills the rows of a text with the sums of its tokens' embeddings and those
// of their places.
func (b *batch) embed(i int) {
	for t, id := range b.ids[i] {
		x := row(b.x, b.spans[i].from+t, b.hidden)
		scale, place := b.wscale[id], row(b.pos, t, b.hidden)
		word := b.word[int(id)*b.hidden:][:b.hidden]
		for j := range x {
			x[j] = scale*float32(int8(word[j])) + place[j]
		}
	}
}

// norm makes row r of x the LayerNorm of itself and the row of plus, and quantises its
// smoothed copy.
func (b *batch) norm(copied []float32, r int, plus []float32, l *layerNorm) {
	x := row(b.x, r, b.hidden)
	if plus != nil {
		plus = row(plus, r, b.hidden)
	}
	b.with.norm(x, plus, copied, l.w, l.b, l.qw, l.qb, b.epsilon)
	b.quant(r, copied)
}

func (b *batch) quant(r int, x []float32) {
	if b.fine.rows != nil && b.fine.rows[r] {
		b.quantFine(r, x)
		return
	}
	wide := len(x) * b.with.wide
	b.scale[r], b.sums[r] = b.with.quant(b.q[r*wide:(r+1)*wide], x)
}

// linear is a phase that applies l to the quantised rows. An item is 64 outputs of
// all rows, so that each weight is read from memory once.
func (b *batch) linear(m *member, y []float32, l *linear) {
	wide := l.k * b.with.wide
	m.each(l.n/block, func(i int) {
		n := i * block
		w, scale, bias := l.w[n*l.k:(n+block)*l.k], l.scale[n:n+block], l.bias[n:n+block]
		for r := 0; r < b.rows; r += tile {
			b.with.gemm(y[r*l.n+n:], l.n, b.q[r*wide:(r+tile)*wide], l.k, w, b.scale[r:], b.sums[r:], scale, bias)
			b.addFine(y, l, r, n, w)
		}
	})
}

// pool makes one vector of unit length out of the rows of each text.
func (b *batch) pool() [][]float32 {
	out := make([][]float32, len(b.spans))
	for i, s := range b.spans {
		out[i] = make([]float32, b.hidden)
		if !b.mean {
			s.n = 1
		}
		for t := range s.n {
			for j, v := range row(b.x, s.from+t, b.hidden) {
				out[i][j] += v
			}
		}
		unit(out[i])
	}
	return out
}

func unit(v []float32) {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	k := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= k
	}
}
