//go:build hugot

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed/modeltest"
)

// A model that takes half a second answers, but no hook.
func TestForeignModelIsForWhoCanWait(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, "git init -q; git config --global user.name Ada; git config --global user.email ada@example.org")
	model, _ := modeltest.Lookup(8)
	if err := modeltest.Small.Write(filepath.Join(root, "other"), map[string][]byte{"config.json": []byte(`{"model_type":"mpnet","max_position_embeddings":16}`),
		"tokenizer.json": modeltest.FullTokenizer(), "model.safetensors": nil, "model.onnx": model}); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"knowledge add --id port -m 5433 --keywords cat", "model pull other --from ../other", "model use other"} {
		if out, status := runIn(root, "", strings.Fields(args)...); status != 0 {
			t.Fatalf("%s: %d\n%s", args, status, out)
		}
	}
	for _, hook := range []bool{true, false} {
		a := testApp(root)
		open := a.openGuest
		if hook {
			open = a.openHook
		}
		m, err := open(t.Context(), a.dir, "")
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if e, err := m.Embedder(); err != nil || (e == nil) != hook {
			t.Errorf("hook %v: %v, %v", hook, e, err)
		}
	}
}
