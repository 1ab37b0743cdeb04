//go:build hugot

package onnx

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lookup is a folder with a model that looks its tokens up in a table and does nothing
// else, so that what comes of it can be said beforehand; nil takes a file away.
func lookup(t *testing.T, files map[string][]byte) (dir string, table [][]float32) {
	t.Helper()
	dir = t.TempDir()
	data, err := os.ReadFile("testdata/table.json")
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err = errors.Join(err, os.CopyFS(dir, os.DirFS("testdata/lookup"))); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		file := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, data, 0o666))
		if data == nil {
			err = os.Remove(file)
		}
		if err != nil {
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
	for _, pooling := range []string{"mean", "cls"} {
		dir, table := lookup(t, map[string][]byte{"config_sentence_transformers.json": []byte(`{"prompts":{"query":"a "}}`),
			"1_Pooling/config.json": []byte(`{"pooling_mode":"` + pooling + `"}`)})
		e, err := Open(dir, "x")
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
			if pooling == "cls" {
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
	dir, table := lookup(t, nil)
	e, err := Open(dir, "x")
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
	dir, _ := lookup(t, map[string][]byte{"model.onnx": []byte("no model")})
	e, err := Open(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if v, err := e.Documents(t.Context(), []string{"cat"}); err == nil {
			t.Errorf("%v", v)
		}
	}
}

// What a model is stands in the files that its authors publish beside it, or is known of
// its family.
func TestOpenTakesWhatFilesSay(t *testing.T) {
	const bge = "Represent this sentence for searching relevant passages: "
	names := map[string]string{}
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
		{"prompts", "e5-x", map[string][]byte{"config_sentence_transformers.json": []byte(`{"prompts":{"query":"Q: ","document":"D: "}}`)}, "mean", "Q: ", "D: ", 16},
		{"the longest", "mine", map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length":12}`)}, "mean", "", "", 12},
	} {
		dir, _ := lookup(t, tt.files)
		e, err := Open(dir, tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		m := e.Model()
		if p := e.(*model).o.pooling; p != tt.pooling || m.QueryPrefix != tt.query || m.DocumentPrefix != tt.before || m.MaxTokens != tt.most || m.Dim != 8 {
			t.Errorf("%s of %s: %s %+v", tt.what, tt.name, p, m)
		}
		if was := names[m.Name]; was != "" || !strings.HasPrefix(m.Name, tt.name+"/onnx-") {
			t.Errorf("%s: its vectors are called %s, as those of %s", tt.what, m.Name, was)
		}
		names[m.Name] = tt.what
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, tt := range []struct {
		what, file, text, want string
	}{
		{"pooling by the most", "1_Pooling/config.json", `{"pooling_mode_max_tokens":true}`, "not by mean or cls"},
		{"two poolings", "1_Pooling/config.json", `{"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":true}`, "not by mean or cls"},
		{"one more step", "modules.json", `[{"path":"2_Dense","type":"sentence_transformers.models.Dense"}]`, `a step of type "Dense"`},
		{"no JSON", "config.json", "bert", "config.json: invalid"},
		{"no width", "config.json", "{}", "no hidden_size"},
		{"no weights", "model.onnx", "", "model.onnx: no such file"},
		{"no tokenizer", "tokenizer.json", "", "tokenizer.json: no such file"},
	} {
		files := map[string][]byte{tt.file: []byte(tt.text)}
		if tt.text == "" {
			files[tt.file] = nil
		}
		dir, _ := lookup(t, files)
		if _, err := Open(dir, "x"); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}
