package convert

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Tensor is a vector or a matrix of numbers, which were float32, float16 or bfloat16
// where they came from.
type Tensor struct {
	Rows, Cols int // a vector has one row
	raw        []byte
	turned     bool // raw holds it column by column
	kind       kind
}

// kind is the type of a tensor's numbers.
type kind uint8

const (
	float32s kind = iota
	float16s
	bfloat16s
)

// bytes is the size of one number.
func (k kind) bytes() int {
	if k == float32s {
		return 4
	}
	return 2
}

// At is the number in row r and column c.
func (t Tensor) At(r, c int) float32 {
	i := r*t.Cols + c
	if t.turned {
		i = c*t.Rows + r
	}
	switch t.kind {
	case float16s:
		return half(binary.LittleEndian.Uint16(t.raw[2*i:]))
	case bfloat16s:
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(t.raw[2*i:])) << 16)
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
}

// half is the float16 with these bits.
func half(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, int(bits>>10&0x1f), uint32(bits&0x3ff)
	switch exponent {
	case 0: // zero and what is too small for an exponent: fraction * 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31: // infinite, or no number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | uint32(exponent-15+127)<<23 | fraction<<13)
}

// newTensor checks that raw holds what the dimensions promise, of which there are one
// or two.
func newTensor(name string, dims []int, k kind, raw []byte) (Tensor, error) {
	t := Tensor{Rows: 1, Cols: dims[len(dims)-1], raw: raw, kind: k}
	if len(dims) == 2 {
		t.Rows = dims[0]
	}
	n := len(raw) / k.bytes()
	if t.Rows < 1 || t.Cols < 1 || len(raw)%k.bytes() != 0 || n%t.Cols != 0 || n/t.Cols != t.Rows {
		return t, fmt.Errorf("tensor %s: %d bytes for %v", name, len(raw), dims)
	}
	return t, nil
}

// plainNames gives the tensors of a BERT the names that its first release had,
// whatever stands before them, as "bert." or "0.auto_model.".
func plainNames(tensors map[string]Tensor) map[string]Tensor {
	const known = "embeddings.word_embeddings.weight"
	prefix := ""
	for name := range tensors {
		if p, ok := strings.CutSuffix(name, known); ok && (prefix == "" || len(p) < len(prefix)) {
			prefix = p
		}
	}
	out := make(map[string]Tensor, len(tensors))
	for name, t := range tensors {
		name = strings.TrimPrefix(name, prefix)
		name = strings.Replace(name, "LayerNorm.gamma", "LayerNorm.weight", 1) // TensorFlow's
		out[strings.Replace(name, "LayerNorm.beta", "LayerNorm.bias", 1)] = t
	}
	return out
}
