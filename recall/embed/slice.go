package embed

import (
	"errors"
	"fmt"
	"strconv"
	"unsafe"
)

// network is the weights, as slices of the file.
type network struct {
	hidden, heads, inner int
	epsilon              float32
	mean                 bool // pooling
	wscale, pos          []float32
	word                 []byte // int8
	ln                   layerNorm
	layers               []layer
}

// linear is a linear map, see package format.
type linear struct {
	n, k        int
	scale, bias []float32
	w           []byte
}

// layerNorm is the weight and bias of a LayerNorm, and those of its smoothed copy.
type layerNorm struct{ w, b, qw, qb []float32 }

type layer struct {
	qkv, o, f1, f2 linear
	ln1, ln2       layerNorm
	in             []float32 // what f2's inputs are multiplied by
}

var errBigEndian = errors.New("open weights: big-endian processors are not supported")

// slice points b at the arrays of its file.
func (b *Bert) slice() error {
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) != 1 {
		return errBigEndian
	}
	h := b.head
	epsilon, err := strconv.ParseFloat(h.NormEpsilon, 32)
	if err != nil || !(epsilon > 0) {
		return fmt.Errorf("open weights: epsilon %q", h.NormEpsilon)
	}
	next := sections(b)
	floats := func() []float32 { return floatsOf(next()) }
	lin := func(n, k int) linear { return linear{n, k, floats(), floats(), next()} }
	ln := func() layerNorm { return layerNorm{floats(), floats(), floats(), floats()} }

	b.tokens = tokenizer{
		slots: next(), ends: next(), text: next(),
		unknown: int32(h.Unknown), start: int32(h.Start), end: int32(h.End),
	}
	n := network{hidden: h.Hidden, heads: h.Heads, inner: h.Inner, epsilon: float32(epsilon), mean: h.Pooling == "mean"}
	n.wscale, n.word, n.pos, n.ln = floats(), next(), floats(), ln()
	for range h.Layers {
		var l layer
		l.qkv, l.o, l.ln1 = lin(3*h.Hidden, h.Hidden), lin(h.Hidden, h.Hidden), ln()
		l.f1, l.in, l.f2, l.ln2 = lin(h.Inner, h.Hidden), floats(), lin(h.Hidden, h.Inner), ln()
		n.layers = append(n.layers, l)
	}
	b.net = n
	return nil
}

// sections returns the arrays of the body one after the other.
func sections(b *Bert) func() []byte {
	data, all, i := bytesOf(b.file), b.head.Sections(), -1
	return func() []byte {
		i++
		end := all[i].Offset + all[i].Bytes
		return data[all[i].Offset:end:end]
	}
}

// bytesOf is s as bytes that must not be written: it may lie in read-only memory.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// floatsOf is b as floats. The linker aligns what is embedded to 32 bytes but does
// not promise it, so that a copy is made where it did not.
func floatsOf(b []byte) []float32 {
	n := len(b) / 4
	if p := unsafe.Pointer(unsafe.SliceData(b)); uintptr(p)%4 == 0 {
		return unsafe.Slice((*float32)(p), n)
	}
	f := make([]float32, n)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(f))), len(b)), b)
	return f
}
