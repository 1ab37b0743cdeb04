package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

const endpointKey = "sk-endpoint-0123456789abcdef"

// letterServer embeds a text as the counts of its letters, for who has the key. It calls
// asked first, with every request.
func letterServer(t *testing.T, asked func()) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked()
		if r.Header.Get("Authorization") != "Bearer "+endpointKey {
			http.Error(w, "who is "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		var data []any
		for i, text := range body.Input {
			v := make([]float64, 26)
			v[0] = 1
			for _, c := range strings.ToLower(text) {
				if c >= 'a' && c <= 'z' {
					v[c-'a']++
				}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s
}

// The whole way of an endpoint: tried, used, gone, left. Its key is nowhere to be read.
func TestEndpointAnswers(t *testing.T) {
	var requests atomic.Int32
	s := letterServer(t, func() { requests.Add(1) })
	root := t.TempDir()
	for _, dir := range []string{"repo", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sh(t, root, "git init -q; git config --global user.name Ada; git config --global user.email ada@example.org")
	play := func(status int, want string, env []string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		a := apptest.New(root)
		a.Env, a.Out, a.Err = append(a.Env, env...), &out, &out
		if got := run(a, args); got != status || !strings.Contains(out.String(), want) || strings.Contains(out.String(), endpointKey) {
			t.Errorf("%v: status %d, want %d and %q:\n%s", args, got, status, want, out.String())
		}
	}
	key := []string{"MY_KEY=" + endpointKey}
	use := []string{"model", "use", "--url", s.URL, "--key-env", "MY_KEY", "letters"}
	play(0, "", nil, "knowledge", "add", "--id", "port", "-m", "The test database listens on port 5433.", "--keywords", "database")

	play(128, "MY_KEY is not set", nil, use...)
	play(128, "the key was refused (who is Bearer ***)", []string{"MY_KEY=sk-wrong-one"}, use...)
	play(0, "1 of 1 pieces also by meaning (endpoint-", key, use...)
	play(0, "/letters: unrelated texts", key, "model", "calibrate")
	play(0, "port", key, "knowledge", "match", "database")
	before := requests.Load()
	play(0, "port", key, "knowledge", "match", "database")
	if requests.Load() != before+1 {
		t.Errorf("%d requests for one prompt", requests.Load()-before)
	}

	// Without a key, or a server, words answer alone, and that is said.
	play(0, "key is missing", nil, "knowledge", "match", "database")
	s.Close()
	play(0, "embedding endpoint 127.0.0.1", key, "knowledge", "match", "database")
	play(0, "port", key, "knowledge", "match", "database")
	if requests.Load() != before+1 {
		t.Errorf("%d requests more", requests.Load()-before-1)
	}

	// No repository may name one.
	play(128, "is for the user's own configuration only", nil, "config", "set", "--project", "endpoint_url", "https://example.org")
	if err := os.MkdirAll(filepath.Join(root, "repo", ".sage"), 0o777); err != nil {
		t.Fatal(err)
	}
	evil := "embedder: http\nendpoint_url: https://evil.example.org\nendpoint_model: x\nendpoint_key_env: PATH\n"
	if err := os.WriteFile(filepath.Join(root, "repo", ".sage", "tuning.yaml"), []byte(evil), 0o666); err != nil {
		t.Fatal(err)
	}
	play(0, s.URL, nil, "config", "list", "endpoint_url")

	// Back to words.
	play(0, "embedding_model is none now", nil, "model", "use", "none")
	play(0, "port", nil, "knowledge", "match", "database")
	filed, err := os.ReadFile(filepath.Join(root, "home", ".sage", "tuning.yaml"))
	if err != nil || strings.Contains(string(filed), endpointKey) || strings.Contains(string(filed), "embedder") {
		t.Errorf("%s, %v", filed, err)
	}
}
