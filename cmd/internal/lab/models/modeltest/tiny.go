// Package modeltest makes small sentence models with random weights, as ONNX files.
package modeltest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// Tiny is the shape of a model.
type Tiny struct {
	Hidden, Inner, Layers, Heads, Positions int
	Seed                                    uint64
}

// Small is one layer of width 64.
var Small = Tiny{Hidden: 64, Inner: 128, Layers: 1, Heads: 2, Positions: 16, Seed: 1}

// Vocab is what all of them know.
var Vocab = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "token", "##s", "cat", "run", "##ning", ".", "a", "b", "c", "d", "e", "f",
	"g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"}

// weight is a tensor with the number that its values are near; a linear map stands as
// its authors have it, a row for each output.
type weight struct {
	name       string
	rows, cols int // no rows: a vector
	values     []float32
}

// weights are the tensors, always the same ones.
func (m Tiny) weights() []weight {
	r := rand.New(rand.NewPCG(m.Seed, 1))
	var all []weight
	add := func(name string, by float64, rows, cols int) {
		w := weight{name: name, rows: rows, cols: cols, values: make([]float32, max(rows, 1)*cols)}
		for i := range w.values {
			w.values[i] = float32(r.NormFloat64() * by)
		}
		all = append(all, w)
	}
	norm := func(name string) {
		add(name+".LayerNorm.weight", 1, 0, m.Hidden)
		add(name+".LayerNorm.bias", .1, 0, m.Hidden)
	}
	add("embeddings.word_embeddings.weight", 1, len(Vocab), m.Hidden)
	add("embeddings.position_embeddings.weight", 1, m.Positions, m.Hidden)
	add("embeddings.token_type_embeddings.weight", 1, 2, m.Hidden)
	norm("embeddings")
	for i := range m.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		for _, l := range m.linears() {
			add(p+l.name+".weight", .1, l.rows, l.cols)
			add(p+l.name+".bias", .1, 0, l.rows)
		}
		norm(p + "attention.output")
		norm(p + "output")
	}
	return all
}

// linears are the linear maps of a layer.
func (m Tiny) linears() []weight {
	h := m.Hidden
	return []weight{{"attention.self.query", h, h, nil}, {"attention.self.key", h, h, nil}, {"attention.self.value", h, h, nil},
		{"attention.output.dense", h, h, nil}, {"intermediate.dense", m.Inner, h, nil}, {"output.dense", h, m.Inner, nil}}
}

// floats are values as their bytes.
func floats(values []float32) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}
