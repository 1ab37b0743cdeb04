package convert_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/convert"
)

// A small model: one layer of width 64.
const hidden, inner, positions = 64, 128, 16

var vocab = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "token", "##s", "cat", "run", "##ning", ".", "a", "b", "c", "d", "e", "f",
	"g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"}

// message is the wire form of a field of bytes.
func message(field int, b []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(field<<3|2))
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

func number(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field<<3)), v)
}

// tensor is an initializer of an ONNX graph.
func tensor(r *rand.Rand, name string, by float64, dims ...int) []byte {
	var b []byte
	n := 1
	for _, d := range dims {
		n *= d
		b = append(b, number(1, uint64(d))...)
	}
	b = append(b, number(2, 1)...)
	b = append(b, message(8, []byte(name))...)
	var raw []byte
	for range n {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(r.NormFloat64()*by)))
	}
	return message(5, append(b, message(9, raw)...))
}

// multiply is a node that multiplies with a constant.
func multiply(path, constant string) []byte {
	b := slices.Concat(message(1, []byte("x")), message(1, []byte(constant)), message(3, []byte(path+"/MatMul")), message(4, []byte("MatMul")))
	return message(1, b)
}

// model is an ONNX file as exporters write them, with anonymous transposed matrices.
func model() []byte {
	r := rand.New(rand.NewPCG(1, 1))
	g := slices.Concat(
		tensor(r, "embeddings.word_embeddings.weight", 1, len(vocab), hidden),
		tensor(r, "embeddings.position_embeddings.weight", 1, positions, hidden),
		tensor(r, "embeddings.token_type_embeddings.weight", 1, 2, hidden),
	)
	for _, name := range []string{"embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"} {
		g = slices.Concat(g, tensor(r, name+".LayerNorm.weight", 1, hidden), tensor(r, name+".LayerNorm.bias", .1, hidden))
	}
	for i, m := range []struct {
		path string
		k, n int
	}{{"attention/self/query", hidden, hidden}, {"attention/self/key", hidden, hidden}, {"attention/self/value", hidden, hidden},
		{"attention/output/dense", hidden, hidden}, {"intermediate/dense", hidden, inner}, {"output/dense", inner, hidden}} {
		constant := fmt.Sprintf("onnx::MatMul_%d", i)
		g = slices.Concat(g, multiply("/encoder/layer.0/"+m.path, constant), tensor(r, constant, .1, m.k, m.n),
			tensor(r, "encoder.layer.0."+strings.ReplaceAll(m.path, "/", ".")+".bias", .1, m.n))
	}
	return message(7, g)
}

var about = convert.About{Name: "small/1", Heads: 2, MaxTokens: positions, NormEpsilon: "1e-12", Pooling: "mean"}

func TestFile(t *testing.T) {
	tensors, err := convert.ReadONNX(model())
	if err != nil {
		t.Fatal(err)
	}
	file, err := convert.File(about, tensors, vocab)
	if err != nil {
		t.Fatal(err)
	}
	again, err := convert.File(about, tensors, vocab)
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("the second file differs: %v", err)
	}
	b, err := embed.OpenBert(string(file))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Verify(); err != nil {
		t.Error(err)
	}
	if n := b.Count("tokens running."); n != 5 {
		t.Errorf("%d tokens, want 5", n)
	}
	v, err := b.Documents(t.Context(), []string{"tokens running.", "cat"})
	if err != nil || len(v[0]) != hidden || slices.Equal(v[0], v[1]) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestFileRefuses(t *testing.T) {
	for what, spoil := range map[string]func(m map[string]convert.Tensor, a *convert.About){
		"a tensor is missing": func(m map[string]convert.Tensor, _ *convert.About) {
			delete(m, "encoder.layer.0.attention.self.key.weight")
		},
		"a bias is too short": func(m map[string]convert.Tensor, _ *convert.About) {
			m["encoder.layer.0.output.dense.bias"] = convert.Tensor{}
		},
		"no word embeddings":    func(m map[string]convert.Tensor, _ *convert.About) { delete(m, "embeddings.word_embeddings.weight") },
		"heads that do not fit": func(_ map[string]convert.Tensor, a *convert.About) { a.Heads = 3 },
		"more than positions":   func(_ map[string]convert.Tensor, a *convert.About) { a.MaxTokens = positions + 1 },
	} {
		tensors, err := convert.ReadONNX(model())
		if err != nil {
			t.Fatal(err)
		}
		a := about
		spoil(tensors, &a)
		if _, err := convert.File(a, tensors, vocab); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestReadTokenizer(t *testing.T) {
	const good = `{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","continuing_subword_prefix":"##","vocab":{"[UNK]":0,"b":2,"a":1}}}`
	tokens, err := convert.ReadTokenizer([]byte(good))
	if err != nil || !slices.Equal(tokens, []string{"[UNK]", "a", "b"}) {
		t.Errorf("%v, %v", tokens, err)
	}
	for _, bad := range []string{"", "[]", strings.Replace(good, "WordPiece", "BPE", 1), strings.Replace(good, "true", "false", 1),
		strings.Replace(good, `"b":2`, `"b":1`, 1), strings.Replace(good, `"b":2`, `"b":7`, 1), strings.Replace(good, `"b":2`, `"b":-1`, 1)} {
		if tokens, err := convert.ReadTokenizer([]byte(bad)); err == nil {
			t.Errorf("%s gives %v", bad, tokens)
		}
	}
}

// FuzzReadONNX: any bytes give tensors that can be read, or an error.
func FuzzReadONNX(f *testing.F) {
	f.Add(model())
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := convert.ReadONNX(file)
		for _, x := range tensors {
			if err == nil && x.Rows > 0 {
				x.At(x.Rows-1, x.Cols-1)
			}
		}
	})
}
