package convert

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// About is what a file of weights says beside its numbers; see package format.
type About struct {
	Name, License, Source, SourceSum string
	Heads, MaxTokens                 int
	NormEpsilon                      string
	Pooling                          string
	QueryPrefix, DocumentPrefix      string
}

// File makes the file of weights of a model from its tensors and its vocabulary: 5 to 10
// seconds for 6 layers of width 384 on two cores.
func File(a About, tensors map[string]Tensor, vocab []string) ([]byte, error) {
	w := writer{tensors: tensors, vocab: vocab}
	h, err := w.head(a)
	if err != nil {
		return nil, err
	}
	if w.calibrate(h); w.err != nil {
		return nil, w.err
	}
	file := make([]byte, h.FileSize())
	for _, s := range h.Sections() {
		w.section(h, s.Name, s.Layer, file[s.Offset:s.Offset+s.Bytes])
	}
	if w.err != nil {
		return nil, w.err
	}
	h.Sum = format.SumOf(file[format.Size:])
	head := h.String()
	if len(head) != format.Size {
		return nil, fmt.Errorf("a head of %d bytes", len(head))
	}
	copy(file, head)
	_, err = format.Parse(string(file))
	return file, err
}

type writer struct {
	tensors map[string]Tensor
	vocab   []string
	smooth  map[string]smooth // by the names of layers' linear maps
	err     error             // the first
}

// calibrate finds how the inputs of linear maps are smoothed: of those that follow a
// LayerNorm, whose weights take it, and of f2's.
func (w *writer) calibrate(h format.Head) {
	w.check(h)
	all := observe(w, h)
	w.smooth = map[string]smooth{}
	for l := range h.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		for _, part := range []string{"qkv", "f1", "f2"} {
			if maps := w.maps(h, part, p); w.err == nil {
				share := normShare
				if part == "f2" {
					share = geluShare
				}
				w.smooth[p+part] = smoothing(all[p+part], maps, part != "f2", share)
			}
		}
	}
}

func (w *writer) head(a About) (format.Head, error) {
	layers := 0
	for w.tensors[fmt.Sprintf("encoder.layer.%d.output.dense.bias", layers)].Cols > 0 {
		layers++
	}
	word := w.get("embeddings.word_embeddings.weight")
	h := format.Head{
		Name: a.Name, License: a.License, Source: a.Source, SourceSum: a.SourceSum,
		Layers: layers, Hidden: word.Cols, Heads: a.Heads, Inner: w.get("encoder.layer.0.intermediate.dense.bias").Cols,
		Vocab: word.Rows, Positions: w.get("embeddings.position_embeddings.weight").Rows,
		Slots: slots(len(w.vocab)), Unknown: w.id("[UNK]"), Start: w.id("[CLS]"), End: w.id("[SEP]"),
		MaxTokens: a.MaxTokens, NormEpsilon: a.NormEpsilon, Pooling: a.Pooling,
		QueryPrefix: a.QueryPrefix, DocumentPrefix: a.DocumentPrefix,
	}
	for _, token := range w.vocab {
		h.TextBytes += len(token)
	}
	if h.Vocab != len(w.vocab) {
		w.fail(fmt.Errorf("%d rows of word embeddings for %d tokens", h.Vocab, len(w.vocab)))
	}
	return h, w.err
}

// check fails if a tensor is missing or has another shape.
func (w *writer) check(h format.Head) {
	if h.Layers < 1 || h.Heads < 1 || h.Hidden%h.Heads != 0 || h.Positions < h.MaxTokens || h.MaxTokens < 3 {
		w.fail(fmt.Errorf("%d layers of %d heads in %d, %d tokens in %d positions", h.Layers, h.Heads, h.Hidden, h.MaxTokens, h.Positions))
		return
	}
	w.want("embeddings.position_embeddings.weight", h.Positions, h.Hidden)
	w.want("embeddings.token_type_embeddings.weight", w.get("embeddings.token_type_embeddings.weight").Rows, h.Hidden)
	norms := []string{"embeddings"}
	for l := range h.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		norms = append(norms, p+"attention.output", p+"output")
		for _, part := range []string{"qkv", "o", "f1", "f2"} {
			w.maps(h, part, p)
		}
	}
	for _, name := range norms {
		w.want(name+".LayerNorm.weight", 1, h.Hidden)
		w.want(name+".LayerNorm.bias", 1, h.Hidden)
	}
}

// slots is the size of a table that is at most half full.
func slots(vocab int) int {
	n := 1
	for n < 2*vocab {
		n *= 2
	}
	return n
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) id(token string) int {
	id := slices.Index(w.vocab, token)
	if id < 0 {
		w.fail(fmt.Errorf("no token %s", token))
	}
	return id
}

func (w *writer) get(name string) Tensor {
	t, ok := w.tensors[name]
	if !ok {
		w.fail(fmt.Errorf("no tensor %s", name))
	}
	return t
}

// want is get for a tensor whose shape is known.
func (w *writer) want(name string, rows, cols int) Tensor {
	t := w.get(name)
	if w.err == nil && (t.Rows != rows || t.Cols != cols) {
		w.fail(fmt.Errorf("tensor %s is %dx%d, not %dx%d", name, t.Rows, t.Cols, rows, cols))
	}
	if w.err != nil { // what follows may read it all the same
		return Tensor{Rows: rows, Cols: cols, raw: make([]byte, 4*rows*cols)}
	}
	return t
}

func putFloats(to []byte, n int, f func(i int) float32) {
	for i := range n {
		binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(f(i)))
	}
}
