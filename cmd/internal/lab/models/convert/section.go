package convert

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// section fills one array of the body.
func (w *writer) section(h format.Head, name string, layer int, to []byte) {
	switch name {
	case "slots":
		w.slots(h.Slots, to)
	case "ends":
		at := 0
		for i, token := range w.vocab {
			at += len(token)
			binary.LittleEndian.PutUint32(to[4*(i+1):], uint32(at))
		}
	case "text":
		copy(to, strings.Join(w.vocab, ""))
	case "wscale":
		word := w.want("embeddings.word_embeddings.weight", h.Vocab, h.Hidden)
		putFloats(to, h.Vocab, func(i int) float32 { return wordScale(word, i) })
	case "word":
		w.words(h, to)
	case "pos":
		w.positions(h, to)
	case "ln.w", "ln.b", "ln.qw", "ln.qb":
		w.norm("embeddings.LayerNorm", name[3:], w.smooth["encoder.layer.0.qkv"], to)
	default:
		w.layer(h, name, layer, to)
	}
}

// layer fills an array of a layer.
func (w *writer) layer(h format.Head, name string, layer int, to []byte) {
	p := fmt.Sprintf("encoder.layer.%d.", layer)
	part, what, _ := strings.Cut(name, ".")
	switch {
	case part == "ln1":
		w.norm(p+"attention.output.LayerNorm", what, w.smooth[p+"f1"], to)
	case part == "ln2":
		w.norm(p+"output.LayerNorm", what, w.smooth[fmt.Sprintf("encoder.layer.%d.qkv", layer+1)], to)
	case name == "f2.in":
		putFloats(to, h.Inner, func(i int) float32 { return 1 / w.smooth[p+"f2"].by[i] })
	default:
		maps := w.maps(h, part, p)
		for i, m := range maps {
			n := len(to) / len(maps)
			w.linear(what, to[i*n:(i+1)*n], m, w.smooth[p+part])
		}
	}
}

// linear is a linear map, multiplied by a number.
type linear struct {
	weight, bias Tensor
	by           float32
}

// maps are the linear maps that one of a layer's consists of.
func (w *writer) maps(h format.Head, part, p string) []linear {
	one := func(name string, n, k int) linear {
		return linear{w.want(p+name+".weight", n, k), w.want(p+name+".bias", 1, n), 1}
	}
	switch part {
	case "o":
		return []linear{one("attention.output.dense", h.Hidden, h.Hidden)}
	case "f1":
		return []linear{one("intermediate.dense", h.Inner, h.Hidden)}
	case "f2":
		return []linear{one("output.dense", h.Hidden, h.Inner)}
	}
	all := []linear{one("attention.self.query", h.Hidden, h.Hidden), one("attention.self.key", h.Hidden, h.Hidden), one("attention.self.value", h.Hidden, h.Hidden)}
	all[0].by = float32(1 / math.Sqrt(float64(h.Hidden/h.Heads)))
	return all
}

// linear writes an array of a linear map whose inputs are smoothed: what they are
// divided by goes to the weights, what is taken off them to the bias.
func (w *writer) linear(what string, to []byte, m linear, s smooth) {
	n, k := m.weight.Rows, m.weight.Cols
	at := func(r, c int) float32 {
		v := m.weight.At(r, c) * m.by
		if s.by != nil {
			v *= s.by[c]
		}
		return v
	}
	switch what {
	case "scale":
		putFloats(to, n, func(r int) float32 { return rowScale(k, func(c int) float32 { return at(r, c) }) })
	case "bias":
		putFloats(to, n, func(r int) float32 { return float32(m.shifted(r, s) * float64(m.by)) })
	case "w":
		for r := range n {
			scale := rowScale(k, func(c int) float32 { return at(r, c) })
			for c := range k {
				to[((r/16)*(k/4)+c/4)*64+r%16*4+c%4] = byte(round(at(r, c), scale) + 128)
			}
		}
	}
}

// shifted is the bias of output r, and what shifting the inputs takes off it.
func (m linear) shifted(r int, s smooth) float64 {
	sum := float64(m.bias.At(0, r))
	for c, v := range s.shift {
		sum += float64(float64(m.weight.At(r, c)) * float64(v))
	}
	return sum
}

// norm writes an array of a LayerNorm, whose copy is smoothed for what comes next.
func (w *writer) norm(name, what string, s smooth, to []byte) {
	n := len(to) / 4
	weight, bias := w.want(name+".weight", 1, n), w.want(name+".bias", 1, n)
	putFloats(to, n, func(i int) float32 {
		switch {
		case what == "w" || what == "qw" && s.by == nil:
			return weight.At(0, i)
		case what == "b" || s.by == nil:
			return bias.At(0, i)
		case what == "qw":
			return weight.At(0, i) / s.by[i]
		}
		return (bias.At(0, i) - s.shift[i]) / s.by[i]
	})
}

func (w *writer) words(h format.Head, to []byte) {
	word := w.want("embeddings.word_embeddings.weight", h.Vocab, h.Hidden)
	for r := range h.Vocab {
		scale := wordScale(word, r)
		for c := range h.Hidden {
			to[r*h.Hidden+c] = byte(round(word.At(r, c), scale))
		}
	}
}

func (w *writer) positions(h format.Head, to []byte) {
	pos := w.want("embeddings.position_embeddings.weight", h.Positions, h.Hidden)
	kind := w.get("embeddings.token_type_embeddings.weight")
	putFloats(to, h.Positions*h.Hidden, func(i int) float32 {
		return pos.At(i/h.Hidden, i%h.Hidden) + kind.At(0, i%h.Hidden)
	})
}

// slots fills the hash table of the vocabulary.
func (w *writer) slots(n int, to []byte) {
	for i := range to {
		to[i] = 0xff
	}
	for id, token := range w.vocab {
		h := uint32(format.HashStart)
		for i := range len(token) {
			h = (h ^ uint32(token[i])) * format.HashPrime
		}
		at := format.Hash(h, n)
		for binary.LittleEndian.Uint16(to[2*at:]) != 0xffff {
			at = (at + 1) & (n - 1)
		}
		binary.LittleEndian.PutUint16(to[2*at:], uint16(id))
	}
}

// rowScale is what 1 means in a row of k numbers: the largest is 127.
func rowScale(k int, at func(c int) float32) float32 {
	var most float32
	for c := range k {
		v := at(c)
		most = max(most, v, -v)
	}
	if most == 0 {
		return 1
	}
	return most / 127
}

func wordScale(word Tensor, r int) float32 {
	return rowScale(word.Cols, func(c int) float32 { return word.At(r, c) })
}

// round is v in units of scale. The division is done in float64, where Go on no
// machine fuses it with anything.
func round(v, scale float32) int {
	return int(math.RoundToEven(float64(v) / float64(scale)))
}
