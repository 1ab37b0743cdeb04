package models_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed/models"
	"github.com/git-sage/git-sage/recall/embed/modeltest"
	"github.com/git-sage/git-sage/recall/embed/onnx"
)

// foreign writes a model of another network, as an ONNX file that can be run.
func foreign(t *testing.T, dim int) string {
	t.Helper()
	model, _ := modeltest.Lookup(dim)
	return source(t, 1, map[string][]byte{
		"config.json": []byte(`{"model_type":"mpnet","max_position_embeddings":16}`), "tokenizer.json": modeltest.FullTokenizer(),
		"model.safetensors": nil, "onnx/model.onnx": model, "config_sentence_transformers.json": []byte(`{"prompts":{"document":"a "}}`),
	})
}

// What the encoder cannot run is kept as it is, where something else can; else it is
// refused with what would.
func TestForeignModels(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	q := "find: "
	info, err := f.Install(t.Context(), models.Parcel{Name: "ada/other", Dir: foreign(t, 8), QueryPrefix: &q})
	if !onnx.Available {
		if err == nil || !strings.Contains(err.Error(), "-tags hugot") {
			t.Errorf("%+v, %v", info, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if info.Dim != 8 || info.Kind != "onnx" || info.Pooling != "mean" || info.QueryPrefix != q || info.DocumentStart != "a " || info.MaxTokens != 16 || !strings.HasPrefix(info.Vectors, "ada/other/onnx-") || len(info.Files) != 3 {
		t.Errorf("%+v", info)
	}
	if names, err := f.Names(); err != nil || !slices.Equal(names, []string{"ada/other"}) {
		t.Errorf("%v, %v", names, err)
	}
	e, err := f.Open("ada/other")
	if err != nil {
		t.Fatal(err)
	}
	if slow, ok := e.(interface{ Slow() bool }); !ok || !slow.Slow() || e.Model().Name != info.Vectors {
		t.Errorf("%+v is quick?", e.Model())
	}
	v, err := e.Queries(t.Context(), []string{"cat"})
	if err != nil || len(v) != 1 || len(v[0]) != 8 {
		t.Errorf("%v, %v", v, err)
	}

	// Another version replaces it, one for the encoder that, and removal all of it.
	again, err := f.Install(t.Context(), models.Parcel{Name: "ada/other", Dir: foreign(t, 16)})
	if err != nil || again.Vectors == info.Vectors || again.Dim != 16 {
		t.Errorf("%+v, %v", again, err)
	}
	if left, err := filepath.Glob(filepath.Join(f.Dir, "ada@other", "onnx-*")); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	install(t, f, "ada/other", source(t, 1, nil))
	if left, err := filepath.Glob(filepath.Join(f.Dir, "ada@other", "onnx-*")); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	open(t, f, "ada/other")
	if _, err := f.Install(t.Context(), models.Parcel{Name: "ada/other", Dir: foreign(t, 8)}); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove("ada/other"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(f.Dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}
