package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/embed/modeltest"
)

// A model comes from a hub, is used, and leaves nothing half done behind; one that is
// not there, or that somebody damaged on its way, is none.
func TestModelPullFromHub(t *testing.T) {
	const commit, token = "0123456789abcdef0123456789abcdef01234567", "hf_secret"
	files := map[string][]byte{"config.json": modeltest.Small.Config(), "tokenizer.json": modeltest.Small.Tokenizer(), "model.safetensors": modeltest.Small.Safetensors("F16")}
	spoil := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/models/ada/bge-tiny/revision/main" {
			fmt.Fprintf(w, `{"sha":%q,"siblings":[{"rfilename":"config.json"},{"rfilename":"tokenizer.json"},{"rfilename":"model.safetensors"}]}`, commit)
			return
		}
		data, ok := files[filepath.Base(r.URL.Path)]
		if !ok || !strings.HasPrefix(r.URL.Path, "/ada/bge-tiny/resolve/"+commit+"/") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sha256.Sum256(data)))
		if spoil {
			data = bytes.ToUpper(data)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data)
	}))
	defer s.Close()
	root := t.TempDir()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, "git init -q")
	play := func(status int, want string, env []string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		a := testApp(root)
		a.env, a.out, a.err = append(a.env, env...), &out, &out
		if got := run(a, args); got != status || !strings.Contains(out.String(), want) || strings.Contains(out.String(), token) {
			t.Errorf("%v: status %d, want %d and %q:\n%s", args, got, status, want, out.String())
		}
	}
	env := []string{"HF_ENDPOINT=" + s.URL, "HF_TOKEN=" + token}
	play(128, "HF_HUB_OFFLINE forbids", append(env, "HF_HUB_OFFLINE=1"), "model", "pull", "ada/bge-tiny")
	play(128, "does not have it", env, "model", "pull", "ada/none")
	play(128, "in the clear", []string{"HF_ENDPOINT=http://mirror.example", "HF_TOKEN=" + token}, "model", "pull", "ada/bge-tiny")
	spoil = true
	play(128, "what came is not what the hub has", env, "model", "pull", "ada/bge-tiny")
	spoil = false
	play(0, "ada/bge-tiny is here: 1 layers", env, "model", "pull", "ada/bge-tiny")
	play(0, "source       "+s.URL+"/ada/bge-tiny", nil, "model", "info", "ada/bge-tiny")
	play(0, "revision     "+commit, nil, "model", "info", "ada/bge-tiny")
	play(0, "pooling by the first token", nil, "model", "info", "ada/bge-tiny")
	left, err := filepath.Glob(filepath.Join(root, "home", ".sage", "models", ".fetching-*ada@bge*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
