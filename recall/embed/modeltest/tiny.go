// Package modeltest makes small sentence models with random weights, in the formats in
// which real ones are published. The same Tiny has the same weights in each of them.
package modeltest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// Config is a config.json.
func (m Tiny) Config() []byte {
	return fmt.Appendf(nil, `{"model_type":"bert","hidden_act":"gelu","hidden_size":%d,"num_hidden_layers":%d,"num_attention_heads":%d,
"intermediate_size":%d,"max_position_embeddings":%d,"layer_norm_eps":1e-12,"position_embedding_type":"absolute"}`,
		m.Hidden, m.Layers, m.Heads, m.Inner, m.Positions)
}

// Tokenizer is a tokenizer.json.
func (m Tiny) Tokenizer() []byte {
	ids := map[string]int{}
	for id, token := range Vocab {
		ids[token] = id
	}
	vocab, err := json.Marshal(ids)
	if err != nil {
		panic(err) // strings and numbers
	}
	return fmt.Appendf(nil, `{"normalizer":{"type":"BertNormalizer","lowercase":true,"strip_accents":null,"handle_chinese_chars":true},
"model":{"type":"WordPiece","continuing_subword_prefix":"##","vocab":%s}}`, vocab)
}

// VocabTxt is a vocab.txt.
func (m Tiny) VocabTxt() []byte { return []byte(strings.Join(Vocab, "\n") + "\n") }

// Write writes a folder with a model: its weights as safetensors in F32, and the files
// of others, whose content may be nil for none.
func (m Tiny) Write(dir string, others map[string][]byte) error {
	files := map[string][]byte{"config.json": m.Config(), "tokenizer.json": m.Tokenizer(), "model.safetensors": m.Safetensors("F32")}
	for name, data := range others {
		files[name] = data
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if data == nil {
			continue
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// floats are values in a type of safetensors: F32, F16, which is what BF16 has too
// where only seven bits of the fraction are set.
func floats(kind string, values []float32) []byte {
	var raw []byte
	for _, v := range values {
		bits := math.Float32bits(v)
		switch kind {
		case "BF16":
			raw = binary.LittleEndian.AppendUint16(raw, uint16(bits>>16))
		case "F16":
			raw = binary.LittleEndian.AppendUint16(raw, half(bits))
		default:
			raw = binary.LittleEndian.AppendUint32(raw, bits)
		}
	}
	return raw
}

// half cuts a float32 of ordinary size to a float16; what is too small for one is 0.
func half(bits uint32) uint16 {
	sign, exponent := uint16(bits>>31)<<15, int(bits>>23&0xff)-127+15
	if exponent < 1 || exponent > 30 {
		return sign
	}
	return sign | uint16(exponent)<<10 | uint16(bits>>13&0x3ff)
}
