//go:build hugot

package onnx_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/modeltest"
	"github.com/git-sage/git-sage/recall/embed/onnx"
)

// lookup writes a model that looks its tokens up in a table and does nothing else, so
// that what comes of it can be said beforehand.
func lookup(t *testing.T) (dir string, table [][]float32) {
	t.Helper()
	dir = t.TempDir()
	model, table := modeltest.Lookup(8)
	for name, data := range map[string][]byte{"model.onnx": model, "tokenizer.json": modeltest.FullTokenizer(), "config.json": []byte(`{"max_position_embeddings":16,"pad_token_id":0}`)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, table
}

// pooled is the sum of the rows of tokens, of length 1.
func pooled(table [][]float32, ids ...int) []float32 {
	out := make([]float32, len(table[0]))
	for _, id := range ids {
		for i, v := range table[id] {
			out[i] += v
		}
	}
	var square float64
	for _, v := range out {
		square += float64(v) * float64(v)
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(square))
	}
	return out
}

func near(a, b []float32) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x float32) bool { return x != x }) &&
		math.Abs(float64(a[0]-b[0])) < 1e-5 && math.Abs(float64(a[len(a)-1]-b[len(b)-1])) < 1e-5
}

func TestVectors(t *testing.T) {
	dir, table := lookup(t)
	for _, pooling := range []string{"mean", "start"} {
		e, err := onnx.Open(onnx.Options{Dir: dir, Pooling: pooling, Model: embed.Model{Name: "x", Dim: 8, QueryPrefix: "a "}})
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{"cat", "", "run tokens", "\ufeffcat\u200b", "\xff cat", strings.Repeat("cat ", 100)}
		v, err := e.Documents(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		// [CLS] is 2, [SEP] 3; cat 6, run 7, token 4, ##s 5.
		want := [][]float32{pooled(table, 2, 6, 3), pooled(table, 2, 3), pooled(table, 2, 7, 4, 5, 3), pooled(table, 2, 6, 3), pooled(table, 2, 6, 3)}
		for i := range want {
			if pooling == "start" {
				want[i] = pooled(table, 2)
			}
			if !near(v[i], want[i]) {
				t.Errorf("%s of %q: %v, want %v", pooling, texts[i], v[i], want[i])
			}
		}
		q, err := e.Queries(t.Context(), []string{"cat"})
		if err != nil || pooling == "mean" && !near(q[0], pooled(table, 2, 10, 6, 3)) {
			t.Errorf("%v, %v", q, err)
		}
		if v, err := e.Documents(t.Context(), nil); err != nil || len(v) != 0 {
			t.Errorf("no text: %v, %v", v, err)
		}
	}
}

func TestMany(t *testing.T) {
	dir, table := lookup(t)
	e, err := onnx.Open(onnx.Options{Dir: dir, Pooling: "mean", Model: embed.Model{Name: "x", Dim: 8}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Documents(t.Context(), slices.Repeat([]string{"cat"}, 33))
	if err != nil || len(v) != 33 || !near(v[32], pooled(table, 2, 6, 3)) {
		t.Errorf("%d vectors, %v", len(v), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Documents(ctx, []string{"cat"}); err == nil {
		t.Error("a context that has ended is nobody's business")
	}
}

func TestWhatIsNoModel(t *testing.T) {
	dir, _ := lookup(t)
	if err := os.WriteFile(filepath.Join(dir, "model.onnx"), []byte("no model"), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := onnx.Open(onnx.Options{Dir: dir, Pooling: "mean", Model: embed.Model{Name: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if v, err := e.Documents(t.Context(), []string{"cat"}); err == nil {
			t.Errorf("%v", v)
		}
	}
	if _, err := onnx.Open(onnx.Options{Dir: dir, Pooling: "max"}); err == nil {
		t.Error("pooling by max is taken")
	}
}
