package convert_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/lab/models/convert"
	"github.com/git-sage/git-sage/cmd/internal/lab/models/modeltest"
	"github.com/git-sage/git-sage/recall/embed"
)

var about = convert.About{Name: "small/1", Heads: 2, MaxTokens: modeltest.Small.Positions, NormEpsilon: "1e-12", Pooling: "mean"}

func TestFile(t *testing.T) {
	tensors, err := convert.ReadONNX(modeltest.Small.ONNX())
	if err != nil {
		t.Fatal(err)
	}
	file, err := convert.File(about, tensors, modeltest.Vocab)
	if err != nil {
		t.Fatal(err)
	}
	again, err := convert.File(about, tensors, modeltest.Vocab)
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
	if err != nil || len(v[0]) != modeltest.Small.Hidden || slices.Equal(v[0], v[1]) {
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
		"more than positions":   func(_ map[string]convert.Tensor, a *convert.About) { a.MaxTokens = modeltest.Small.Positions + 1 },
	} {
		tensors, err := convert.ReadONNX(modeltest.Small.ONNX())
		if err != nil {
			t.Fatal(err)
		}
		a := about
		spoil(tensors, &a)
		if _, err := convert.File(a, tensors, modeltest.Vocab); err == nil {
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
	f.Add(modeltest.Small.ONNX())
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := convert.ReadONNX(file)
		for _, x := range tensors {
			if err == nil && x.Rows > 0 {
				x.At(x.Rows-1, x.Cols-1)
			}
		}
	})
}
