package convert_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/convert"
	"github.com/git-sage/git-sage/recall/embed/modeltest"
)

// read writes a tiny model and reads it; files overwrite its files, nil takes one away.
func read(t *testing.T, m modeltest.Tiny, name string, files map[string][]byte) (*convert.Published, error) {
	t.Helper()
	dir := t.TempDir()
	if err := m.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	return convert.Read(dir, name)
}

// vectors are what a model makes of two texts.
func vectors(t *testing.T, p *convert.Published) [][]float32 {
	t.Helper()
	file, err := p.File()
	if err != nil {
		t.Fatal(err)
	}
	b, err := embed.OpenBert(string(file))
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.Documents(t.Context(), []string{"tokens running.", "cat a b"})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The same weights give the same file of weights, whatever they were published in.
func TestFormatsAgree(t *testing.T) {
	for _, m := range []modeltest.Tiny{modeltest.Small,
		{Hidden: 64, Inner: 192, Layers: 3, Heads: 1, Positions: 8, Seed: 2},  // like bge-base: heads of 64
		{Hidden: 128, Inner: 64, Layers: 2, Heads: 4, Positions: 20, Seed: 3}, // heads of 32
	} {
		want, err := read(t, m, "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		vocab, err := read(t, m, "x", map[string][]byte{"tokenizer.json": nil, "vocab.txt": m.VocabTxt()})
		if err != nil {
			t.Fatal(err)
		}
		onnx, err := read(t, m, "x", map[string][]byte{"model.safetensors": nil, "onnx/model.onnx": m.ONNX()})
		if err != nil {
			t.Fatal(err)
		}
		v := vectors(t, want)
		for what, p := range map[string]*convert.Published{"vocab.txt": vocab, "ONNX": onnx} {
			if got := vectors(t, p); cosine(got[0], v[0]) < .999999 || cosine(got[1], v[1]) < .999999 {
				t.Errorf("width %d, %s: cosines %.6f, %.6f", m.Hidden, what, cosine(got[0], v[0]), cosine(got[1], v[1]))
			}
		}
		if cosine(v[0], v[1]) > .99 {
			t.Errorf("width %d: both texts are one", m.Hidden)
		}
	}
}

// Half the bits are nearly the same model.
func TestHalfPrecision(t *testing.T) {
	want, err := read(t, modeltest.Small, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	v := vectors(t, want)
	for kind, least := range map[string]float64{"F16": .999, "BF16": .995} {
		p, err := read(t, modeltest.Small, "x", map[string][]byte{"model.safetensors": modeltest.Small.Safetensors(kind)})
		if err != nil {
			t.Fatal(err)
		}
		if c := cosine(vectors(t, p)[0], v[0]); c < least {
			t.Errorf("%s: cosine %.5f", kind, c)
		}
		if p.About.Name == want.About.Name {
			t.Errorf("%s: other weights, but the vectors are called the same", kind)
		}
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestReadTakesWhatFilesSay(t *testing.T) {
	const bge = "Represent this sentence for searching relevant passages: "
	for _, tt := range []struct {
		what, name             string
		files                  map[string][]byte
		pooling, query, before string
		most                   int
	}{
		{"nothing", "mine", nil, "mean", "", "", 16},
		{"the name", "BAAI/bge-small-en-v1.5", nil, "start", bge, "", 16},
		{"the name", "e5-base-v2", nil, "mean", "query: ", "passage: ", 16},
		{"the pooling", "bge-x", map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":false}`)}, "mean", bge, "", 16},
		{"the new form of it", "mine", map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode":"cls"}`)}, "start", "", "", 16},
		{"modules", "mine", map[string][]byte{"modules.json": []byte(`[{"path":"","type":"x.Transformer"},{"path":"p","type":"x.Pooling"},{"path":"2","type":"x.Normalize"}]`),
			"p/config.json": []byte(`{"pooling_mode_cls_token":true}`)}, "start", "", "", 16},
		{"prompts", "e5-x", map[string][]byte{"config_sentence_transformers.json": []byte(`{"prompts":{"query":"Q: ","document":"D: "}}`)}, "mean", "Q: ", "D: ", 16},
		{"the lengths", "mine", map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length":12,"do_lower_case":false}`),
			"tokenizer_config.json": []byte(`{"model_max_length":1000000000000000019884624838656}`)}, "mean", "", "", 12},
	} {
		p, err := read(t, modeltest.Small, tt.name, tt.files)
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		if a := p.About; a.Pooling != tt.pooling || a.QueryPrefix != tt.query || a.DocumentPrefix != tt.before || a.MaxTokens != tt.most {
			t.Errorf("%s of %s: %+v", tt.what, tt.name, a)
		}
	}
}

func TestReadTellsTheLicence(t *testing.T) {
	p, err := read(t, modeltest.Small, "x", map[string][]byte{"README.md": []byte("---\nlanguage: en\nlicense: mit\n---\nlicense: none\n")})
	if err != nil || p.About.License != "mit" {
		t.Errorf("%q, %v", p.About.License, err)
	}
}

func TestReadRefuses(t *testing.T) {
	config := func(old, new string) map[string][]byte {
		return map[string][]byte{"config.json": []byte(strings.Replace(string(modeltest.Small.Config()), old, new, 1))}
	}
	tokens := func(old, new string) map[string][]byte {
		return map[string][]byte{"tokenizer.json": []byte(strings.Replace(string(modeltest.Small.Tokenizer()), old, new, 1))}
	}
	for _, tt := range []struct {
		what        string
		files       map[string][]byte
		want        string
		unsupported bool
	}{
		{"no config", map[string][]byte{"config.json": nil}, "no config.json in", false},
		{"no vocabulary", map[string][]byte{"tokenizer.json": nil}, "neither tokenizer.json nor vocab.txt", false},
		{"no weights", map[string][]byte{"model.safetensors": nil}, "neither model.safetensors nor model.onnx", false},
		{"no JSON", map[string][]byte{"config.json": []byte("bert")}, "config.json: invalid", false},
		{"another network", config("bert", "mpnet"), `model_type is "mpnet"`, true},
		{"another activation", config("gelu", "relu"), `hidden_act is "relu"`, true},
		{"relative places", config("absolute", "relative_key"), "position_embedding_type", true},
		{"narrow heads", config(`"num_attention_heads":2`, `"num_attention_heads":4`), "64 numbers wide with 4 heads", true},
		{"no heads", config(`"num_attention_heads":2`, `"num_attention_heads":-2`), "with -2 heads", true},
		{"case", tokens(`"lowercase":true`, `"lowercase":false`), "keeps case", true},
		{"accents", tokens(`"strip_accents":null`, `"strip_accents":false`), "keeps case or accents", true},
		{"pieces of sentences", tokens("WordPiece", "Unigram"), "not the WordPiece", true},
		{"case by another file", map[string][]byte{"tokenizer_config.json": []byte(`{"do_lower_case":false}`)}, "keeps case", true},
		{"one more step", map[string][]byte{"modules.json": []byte(`[{"path":"2_Dense","type":"sentence_transformers.models.Dense"}]`)}, `a step of type "Dense"`, true},
		{"a way out", map[string][]byte{"modules.json": []byte(`[{"path":"../../etc","type":"x.Pooling"}]`)}, "is no folder beside it", false},
		{"pooling by the most", map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_max_tokens":true}`)}, "not by mean or cls", true},
		{"two poolings", map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":true}`)}, "not by mean or cls", true},
		{"a long prompt", map[string][]byte{"config_sentence_transformers.json": []byte(`{"prompts":{"query":"` + strings.Repeat("x", 301) + `"}}`)}, "a prompt of more than", false},
		{"a token twice", map[string][]byte{"tokenizer.json": nil, "vocab.txt": []byte("a\nb\na\n")}, "line 3", false},
		{"fewer rows than tokens", map[string][]byte{"tokenizer.json": nil, "vocab.txt": append(modeltest.Small.VocabTxt(), "x\ny\n"...)}, "32 rows of word embeddings for 34 tokens", false},
		{"half a file", map[string][]byte{"model.safetensors": modeltest.Small.Safetensors("F32")[:5000]}, "model.safetensors: read safetensors", false},
		{"no BERT", map[string][]byte{"model.safetensors": modeltest.SafetensorsOf(map[string]any{}, nil)}, "no tensor embeddings.word_embeddings.weight", true},
	} {
		_, err := read(t, modeltest.Small, "x", tt.files)
		if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, convert.ErrUnsupported) != tt.unsupported {
			t.Errorf("%s: %v, want %q, unsupported %v", tt.what, err, tt.want, tt.unsupported)
		}
	}
}

// Rows that pad the word embeddings are left off; a name that stands before all others
// is, too.
func TestReadPaddedAndPrefixed(t *testing.T) {
	file := modeltest.Small.Safetensors("F32")
	p, err := read(t, modeltest.Small, "x", map[string][]byte{"tokenizer.json": nil,
		"vocab.txt":         []byte(strings.Join(modeltest.Vocab[:30], "\n")),
		"model.safetensors": prefixed(file)})
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Tensors["embeddings.word_embeddings.weight"].Rows; n != 30 {
		t.Errorf("%d rows", n)
	}
	vectors(t, p)
}

// prefixed is a file whose tensors are called "bert.…", its length told anew.
func prefixed(file []byte) []byte {
	n := int(file[0]) | int(file[1])<<8 | int(file[2])<<16
	header := bytes.ReplaceAll(file[8:8+n], []byte(`"em`), []byte(`"bert.em`))
	header = bytes.ReplaceAll(header, []byte(`"en`), []byte(`"bert.en`))
	out := append([]byte{byte(len(header)), byte(len(header) >> 8), byte(len(header) >> 16), 0, 0, 0, 0, 0}, header...)
	return append(out, file[8+n:]...)
}

func TestPrefixesChangeTheName(t *testing.T) {
	p, err := read(t, modeltest.Small, "a/b", nil)
	if err != nil {
		t.Fatal(err)
	}
	was, q := p.About.Name, "q: "
	p.Prefixes(&q, nil)
	if p.About.QueryPrefix != q || p.About.Name == was || !strings.HasPrefix(p.About.Name, "a/b/int8-1-") {
		t.Errorf("%+v, was %s", p.About, was)
	}
}

func TestFoldersAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Small.Write(dir, map[string][]byte{"model.safetensors": nil}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "model.safetensors"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := convert.Read(dir, "x"); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Error(err)
	}
}

func TestReadSafetensorsRefuses(t *testing.T) {
	tensor := func(kind string, shape []int, from, to int) map[string]any {
		return map[string]any{"dtype": kind, "shape": shape, "data_offsets": []int{from, to}}
	}
	for what, file := range map[string][]byte{
		"nothing":             nil,
		"a huge header":       {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, '{', '}'},
		"a header too long":   {9, 0, 0, 0, 0, 0, 0, 0, '{', '}'},
		"no JSON":             {2, 0, 0, 0, 0, 0, 0, 0, '{', '{'},
		"a list":              {2, 0, 0, 0, 0, 0, 0, 0, '[', ']'},
		"bytes behind":        modeltest.SafetensorsOf(map[string]any{}, []byte("x")),
		"beyond the end":      modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{2}, 0, 8)}, make([]byte, 4)),
		"backwards":           modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{1}, 4, 0)}, make([]byte, 4)),
		"before the begin":    modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{1}, -4, 0)}, make([]byte, 4)),
		"a hole":              modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{1}, 4, 8)}, make([]byte, 8)),
		"one over the other":  modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{2}, 0, 8), "b": tensor("F32", []int{1}, 4, 8)}, make([]byte, 8)),
		"a shape that lies":   modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{3}, 0, 8)}, make([]byte, 8)),
		"an enormous shape":   modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{math.MaxInt64, 4}, 0, 8)}, make([]byte, 8)),
		"less than nothing":   modeltest.SafetensorsOf(map[string]any{"a": tensor("F32", []int{-1, -2}, 0, 8)}, make([]byte, 8)),
		"three offsets":       modeltest.SafetensorsOf(map[string]any{"a": map[string]any{"dtype": "F32", "shape": []int{1}, "data_offsets": []int{0, 4, 4}}}, make([]byte, 4)),
		"an integer's weight": modeltest.SafetensorsOf(map[string]any{"a.weight": tensor("I8", []int{4}, 0, 4)}, make([]byte, 4)),
		"a fraction of bytes": modeltest.SafetensorsOf(map[string]any{"a": tensor("F16", []int{1}, 0, 3)}, make([]byte, 3)),
	} {
		if tensors, err := convert.ReadSafetensors(file); err == nil {
			t.Errorf("%s gives %v", what, tensors)
		}
	}
	file := modeltest.SafetensorsOf(map[string]any{"position_ids": tensor("I64", []int{1, 1}, 0, 8), "a": tensor("F32", []int{1}, 8, 12), "cube": tensor("F32", []int{1, 1, 1}, 12, 16)}, make([]byte, 16))
	if tensors, err := convert.ReadSafetensors(file); err != nil || len(tensors) != 1 {
		t.Errorf("what nobody wants: %v, %v", tensors, err)
	}
}

// FuzzReadSafetensors: any bytes give tensors that can be read to their last number, or
// an error.
func FuzzReadSafetensors(f *testing.F) {
	f.Add(modeltest.SafetensorsOf(map[string]any{"a.weight": map[string]any{"dtype": "BF16", "shape": []int{2, 1}, "data_offsets": []int{0, 4}}}, make([]byte, 4)))
	f.Add(modeltest.Tiny{Hidden: 2, Inner: 2, Heads: 1, Positions: 2}.Safetensors("F16"))
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := convert.ReadSafetensors(file)
		for _, x := range tensors {
			if err == nil {
				x.At(x.Rows-1, x.Cols-1)
			}
		}
	})
}
