package convert

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// forward is the float32 model, slow and plain. Products are converted before they
// are added, so that no machine fuses the two: all compute the same.
type forward struct {
	w    *writer
	h    format.Head
	seen map[string]*seen // by the names of layers' linear maps
}

// observe runs the samples through the model.
func observe(w *writer, h format.Head) map[string]*seen {
	f := &forward{w, h, map[string]*seen{}}
	for _, ids := range samples(h) {
		if w.err == nil {
			f.run(ids)
		}
	}
	return f.seen
}

// run returns the rows of the last layer.
func (f *forward) run(ids []int) [][]float32 {
	h := f.h
	word, pos := f.w.get("embeddings.word_embeddings.weight"), f.w.get("embeddings.position_embeddings.weight")
	kind := f.w.get("embeddings.token_type_embeddings.weight")
	x := make([][]float32, len(ids))
	for t, id := range ids {
		x[t] = make([]float32, h.Hidden)
		for j := range x[t] {
			x[t][j] = word.At(id, j) + pos.At(t, j) + kind.At(0, j)
		}
	}
	f.norm(x, nil, "embeddings.LayerNorm")
	for l := range h.Layers {
		f.layer(fmt.Sprintf("encoder.layer.%d.", l), x)
	}
	return x
}

func (f *forward) layer(p string, x [][]float32) {
	h := f.h
	f.note(p+"qkv", x)
	q, k, v := f.linear(p+"attention.self.query", x), f.linear(p+"attention.self.key", x), f.linear(p+"attention.self.value", x)
	y := attention(q, k, v, h.Heads)
	f.norm(x, f.linear(p+"attention.output.dense", y), p+"attention.output.LayerNorm")
	f.note(p+"f1", x)
	inner := f.linear(p+"intermediate.dense", x)
	for _, row := range inner {
		for i, v := range row {
			row[i] = float32(float64(v) / 2 * (1 + math.Erf(float64(v)/math.Sqrt2)))
		}
	}
	f.note(p+"f2", inner)
	f.norm(x, f.linear(p+"output.dense", inner), p+"output.LayerNorm")
}

func (f *forward) note(name string, x [][]float32) {
	if f.seen[name] == nil {
		f.seen[name] = new(seen)
	}
	for _, row := range x {
		f.seen[name].add(row)
	}
}

// linear computes each output on one goroutine: how many there are changes nothing.
func (f *forward) linear(name string, x [][]float32) [][]float32 {
	w, bias := f.w.get(name+".weight"), f.w.get(name+".bias")
	y := make([][]float32, len(x))
	for t := range y {
		y[t] = make([]float32, w.Rows)
	}
	parts := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() {
			row := make([]float32, w.Cols)
			for n := w.Rows * part / parts; n < w.Rows*(part+1)/parts; n++ {
				for i := range row {
					row[i] = w.At(n, i)
				}
				for t := range x {
					y[t][n] = dot(row, x[t]) + bias.At(0, n)
				}
			}
		})
	}
	all.Wait()
	return y
}

func dot(a, b []float32) float32 {
	var s [4]float32
	b = b[:len(a)]
	for i := 0; i+4 <= len(a); i += 4 {
		s[0] += float32(a[i] * b[i])
		s[1] += float32(a[i+1] * b[i+1])
		s[2] += float32(a[i+2] * b[i+2])
		s[3] += float32(a[i+3] * b[i+3])
	}
	return s[0] + s[1] + s[2] + s[3]
}

// attention is softmax(q*k/sqrt(d))*v, head by head.
func attention(q, k, v [][]float32, heads int) [][]float32 {
	hidden := len(q[0])
	d := hidden / heads
	y := make([][]float32, len(q))
	p := make([]float32, len(q))
	for t := range q {
		y[t] = make([]float32, hidden)
		for from := 0; from < hidden; from += d {
			weights(p, q[t][from:from+d], k, from)
			for s, w := range p {
				for j := range d {
					y[t][from+j] += float32(w * v[s][from+j])
				}
			}
		}
	}
	return y
}

func weights(p, q []float32, k [][]float32, from int) {
	most := float32(math.Inf(-1))
	for s := range p {
		p[s] = dot(q, k[s][from:]) / float32(math.Sqrt(float64(len(q))))
		most = max(most, p[s])
	}
	var sum float32
	for s := range p {
		p[s] = float32(math.Exp(float64(p[s] - most)))
		sum += p[s]
	}
	for s := range p {
		p[s] /= sum
	}
}

// norm makes x the LayerNorm of x+y.
func (f *forward) norm(x, y [][]float32, name string) {
	w, b := f.w.get(name+".weight"), f.w.get(name+".bias")
	epsilon, _ := strconv.ParseFloat(f.h.NormEpsilon, 64)
	for t, row := range x {
		var sum, square float64
		for i := range row {
			if y != nil {
				row[i] += y[t][i]
			}
			sum += float64(row[i])
		}
		mean := sum / float64(len(row))
		for _, v := range row {
			d := float64(v) - mean
			square += float64(d * d)
		}
		k := 1 / math.Sqrt(square/float64(len(row))+epsilon)
		for i, v := range row {
			row[i] = float32(float32((float64(v)-mean)*k)*w.At(0, i)) + b.At(0, i)
		}
	}
}
