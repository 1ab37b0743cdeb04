package convert

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Tensor is a vector or a matrix of float32 numbers.
type Tensor struct {
	Rows, Cols int // a vector has one row
	raw        []byte
	turned     bool // raw holds it column by column
}

// At is the number in row r and column c.
func (t Tensor) At(r, c int) float32 {
	i := r*t.Cols + c
	if t.turned {
		i = c*t.Rows + r
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
}

// newTensor checks that raw holds what the dimensions promise, of which there are one
// or two.
func newTensor(name string, dims []int, raw []byte) (Tensor, error) {
	t := Tensor{Rows: 1, Cols: dims[len(dims)-1], raw: raw}
	if len(dims) == 2 {
		t.Rows = dims[0]
	}
	n := len(raw) / 4
	if t.Rows < 1 || t.Cols < 1 || len(raw)%4 != 0 || n%t.Cols != 0 || n/t.Cols != t.Rows {
		return t, fmt.Errorf("tensor %s: %d bytes for %v", name, len(raw), dims)
	}
	return t, nil
}
