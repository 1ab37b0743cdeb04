package hub_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall/embed/hub"
)

const (
	token  = "hf_very_secret_token"
	commit = "0123456789abcdef0123456789abcdef01234567"
)

// fake is a hub with a model in it and a store of its own for large files.
type fake struct {
	t        *testing.T
	hub, cdn *httptest.Server
	files    map[string][]byte
	large    string // the file that lies in the store

	mu     sync.Mutex
	served []string // "<what> <path> <range>"
	leaked bool     // the store saw the token

	// How the store misbehaves, given the number of the request; nil: not at all.
	store func(n int, w http.ResponseWriter, r *http.Request, data []byte) bool
	api   func(w http.ResponseWriter, r *http.Request) bool // the same of the hub
	sum   func(file, sum string) string
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t, large: "model.safetensors", files: map[string][]byte{
		"config.json": []byte(`{"model_type":"bert"}`), "tokenizer.json": []byte("{}"), "1_Pooling/config.json": []byte("{}"), "README.md": nil,
		"model.safetensors": bytes.Repeat([]byte("0123456789abcdef"), 20000), "model.onnx": []byte("not wanted"), "../evil_Pooling/config.json": []byte("x"), "pytorch_model.bin": []byte("pickle"),
	}}
	f.cdn = httptest.NewServer(http.HandlerFunc(f.serveStore))
	f.hub = httptest.NewServer(http.HandlerFunc(f.serveHub))
	t.Cleanup(f.cdn.Close)
	t.Cleanup(f.hub.Close)
	return f
}

func (f *fake) note(format string, args ...any) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.served = append(f.served, fmt.Sprintf(format, args...))
	n := 0
	for _, s := range f.served {
		if strings.HasPrefix(s, "store") {
			n++
		}
	}
	return n
}

func (f *fake) serveHub(w http.ResponseWriter, r *http.Request) {
	f.note("hub %s %s", r.Method, r.URL.Path)
	if f.api != nil && f.api(w, r) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+token {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	if r.URL.Path == "/api/models/ada/tiny/revision/main" {
		var names []string
		for name := range f.files {
			names = append(names, fmt.Sprintf(`{"rfilename":%q}`, name))
		}
		fmt.Fprintf(w, `{"sha":%q,"siblings":[%s]}`, commit, strings.Join(names, ","))
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, "/ada/tiny/resolve/"+commit+"/")
	data, there := f.files[name]
	if !ok || !there {
		http.NotFound(w, r)
		return
	}
	if name == f.large {
		w.Header().Set("X-Linked-Etag", `"`+f.sumOf(name, fmt.Sprintf("%x", sha256.Sum256(data)))+`"`)
		w.Header().Set("X-Linked-Size", strconv.Itoa(len(data)))
		http.Redirect(w, r, f.cdn.URL+"/"+name+"?signature=abc", http.StatusFound)
		return
	}
	w.Header().Set("Etag", `W/"`+f.sumOf(name, fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data))))+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func (f *fake) sumOf(file, sum string) string {
	if f.sum != nil {
		return f.sum(file, sum)
	}
	return sum
}

func (f *fake) serveStore(w http.ResponseWriter, r *http.Request) {
	n := f.note("store %s %s", r.URL.Path, r.Header.Get("Range"))
	if r.Header.Get("Authorization") != "" {
		f.leaked = true
	}
	data := f.files[strings.TrimPrefix(r.URL.Path, "/")]
	if f.store != nil && f.store(n, w, r, data) {
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// pull fetches into dir, and never waits.
func (f *fake) pull(dir string) error {
	h := &hub.Hub{URL: f.hub.URL, Token: token, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	return f.pullWith(f.t.Context(), h, dir)
}

func (f *fake) pullWith(ctx context.Context, h *hub.Hub, dir string) error {
	got, err := h.Pull(ctx, "ada/tiny", "main", dir, func() error { return nil })
	if err == nil && got != commit {
		f.t.Errorf("commit %q", got)
	}
	if err != nil && strings.Contains(err.Error(), token) {
		f.t.Errorf("the token is told: %v", err)
	}
	if f.leaked {
		f.t.Error("the store saw the token")
	}
	return err
}

// whole fails unless dir holds the model and nothing else.
func (f *fake) whole(dir string) {
	f.t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names[filepath.ToSlash(rel)] = true
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, name := range []string{"config.json", "tokenizer.json", "1_Pooling/config.json", "README.md", "model.safetensors"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(data, f.files[name]) {
			f.t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		delete(names, name)
	}
	if len(names) > 0 {
		f.t.Errorf("beside it: %v", names)
	}
}

func TestPull(t *testing.T) {
	f, dir := newFake(t), t.TempDir()
	if err := f.pull(dir); err != nil {
		t.Fatal(err)
	}
	f.whole(dir)
	if last := f.served[len(f.served)-1]; !strings.HasPrefix(last, "store /model.safetensors") {
		t.Errorf("the weights are not the last: %s", last)
	}
	f.served = nil
	if err := f.pull(dir); err != nil || strings.Contains(strings.Join(f.served, "\n"), "store") {
		t.Errorf("again: %v\n%s", err, strings.Join(f.served, "\n"))
	}
}

// A server that breaks off again and again is asked for what is missing.
// A hub that names no end of folders is not asked for each.
func TestPullOfManyFolders(t *testing.T) {
	f := newFake(t)
	for i := range 50 {
		f.files[fmt.Sprintf("%d_Pooling/config.json", i+2)] = []byte("{}")
	}
	if err := f.pull(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(f.served, "\n"), "hub GET /ada/tiny/resolve/"+commit); n > 12 {
		t.Errorf("%d files were fetched", n)
	}
}

func TestPullGoesOn(t *testing.T) {
	f, dir := newFake(t), t.TempDir()
	f.store = func(n int, w http.ResponseWriter, r *http.Request, data []byte) bool {
		if n > 7 {
			return false
		}
		from := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.Header().Set("Content-Length", strconv.Itoa(len(data)-from))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		}
		_, _ = w.Write(data[from : from+10000])
		return true
	}
	var left []int64
	h := &hub.Hub{URL: f.hub.URL, Token: token, Sleep: func(context.Context, time.Duration) error { return nil }, Left: func(file string, n int64) {
		if file == "model.safetensors" {
			left = append(left, n)
		}
	}}
	if err := f.pullWith(t.Context(), h, dir); err != nil {
		t.Fatal(err)
	}
	f.whole(dir)
	if all := strings.Join(f.served, "\n"); !strings.Contains(all, "bytes=10000-") || !strings.Contains(all, "bytes=70000-") {
		t.Error(all)
	}
	if left[0] <= left[len(left)-1] || left[len(left)-1] != 0 {
		t.Errorf("left: %v", left)
	}
}

// Stopped in the midst, the next call takes up where it was.
func TestPullIsTakenUp(t *testing.T) {
	f, dir := newFake(t), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	f.store = func(_ int, w http.ResponseWriter, r *http.Request, data []byte) bool {
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		_, _ = w.Write(data[:50000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	h := &hub.Hub{URL: f.hub.URL, Token: token, Left: func(_ string, left int64) {
		if left == int64(len(f.files[f.large]))-50000 {
			cancel()
		}
	}}
	if err := f.pullWith(ctx, h, dir); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	f.store, f.served = nil, nil
	if err := f.pull(dir); err != nil {
		t.Fatal(err)
	}
	f.whole(dir)
	if all := strings.Join(f.served, "\n"); !strings.Contains(all, "store /model.safetensors bytes=50000-") {
		t.Error(all)
	}
}

// Servers that lie are found out, and nothing of theirs is taken for the model.
func TestPullRefuses(t *testing.T) {
	reply := func(code int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(code)
			return true
		}
	}
	for _, tt := range []struct {
		what  string
		spoil func(f *fake)
		want  string
	}{
		{"other bytes", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, _ *http.Request, data []byte) bool {
				_, _ = w.Write(bytes.Repeat([]byte("x"), len(data)))
				return true
			}
		}, "its checksum is another"},
		{"other bytes in a text", func(f *fake) {
			f.sum = func(file, sum string) string {
				if file == "config.json" {
					return strings.Repeat("0", 40)
				}
				return sum
			}
		}, "fetch config.json of 'ada/tiny': what came is not what the hub has"},
		{"more bytes", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, _ *http.Request, data []byte) bool {
				_, _ = w.Write(append(bytes.Clone(data), "more"...))
				return true
			}
		}, "the server sends more than the 320000 bytes that it has"},
		{"no end", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, r *http.Request, data []byte) bool {
				for r.Context().Err() == nil {
					if _, err := w.Write(data); err != nil {
						return true
					}
				}
				return true
			}
		}, "the server sends more than"},
		{"fewer bytes, for ever", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, _ *http.Request, data []byte) bool {
				w.WriteHeader(http.StatusOK)
				_, _ = w.Write(data[:100])
				return true
			}
		}, "it broke off after 100 of 320000 bytes"},
		{"a store that never is", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, _ *http.Request, _ []byte) bool {
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			}
		}, "answers 503"},
		{"in circles", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, r *http.Request, _ []byte) bool {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
				return true
			}
		}, "sends from one address to the next"},
		{"to no address", func(f *fake) {
			f.store = func(_ int, w http.ResponseWriter, r *http.Request, _ []byte) bool {
				w.Header().Set("Location", "file:///etc/passwd")
				w.WriteHeader(http.StatusFound)
				return true
			}
		}, "sends to what is no address"},
		{"no checksum", func(f *fake) { f.sum = func(string, string) string { return "" } }, "says no checksum"},
		{"a gated one", func(f *fake) { f.api = reply(403) }, "does not give it to the holder of HF_TOKEN"},
		{"none", func(f *fake) { f.api = reply(404) }, "ask for 'ada/tiny': 127.0.0.1:"},
		{"too many", func(f *fake) { f.api = reply(429) }, "answers 429"},
		{"broken", func(f *fake) { f.api = reply(500) }, "answers 500"},
		{"a page", func(f *fake) {
			f.api = func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, "<html>"); return true }
		}, "answers what is no list of files"},
		{"no weights", func(f *fake) { delete(f.files, "model.safetensors"); delete(f.files, "model.onnx") }, "has neither model.safetensors nor model.onnx"},
	} {
		f, dir := newFake(t), t.TempDir()
		tt.spoil(f)
		err := f.pull(dir)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.what, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "model.safetensors")); err == nil {
			t.Errorf("%s: it is taken for the model", tt.what)
		}
	}
}

// A store that does not know ranges begins anew.
func TestPullWithoutRanges(t *testing.T) {
	f, dir := newFake(t), t.TempDir()
	f.store = func(n int, w http.ResponseWriter, _ *http.Request, data []byte) bool {
		if n == 1 {
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
			data = data[:5000]
		}
		_, _ = w.Write(data)
		return true
	}
	if err := f.pull(dir); err != nil {
		t.Fatal(err)
	}
	f.whole(dir)
}

func TestPullFromWhoIsSilent(t *testing.T) {
	f, dir := newFake(t), t.TempDir()
	f.store = func(_ int, w http.ResponseWriter, r *http.Request, data []byte) bool {
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	h := &hub.Hub{URL: f.hub.URL, Token: token, Idle: 20 * time.Millisecond, Sleep: func(context.Context, time.Duration) error { return nil }}
	if err := f.pullWith(t.Context(), h, dir); err == nil || !strings.Contains(err.Error(), "the server went silent") {
		t.Error(err)
	}
}

// What cannot be converted costs no gigabyte.
// Nor does anybody wait for ever for the list of files.
func TestPullFromWhoNeverAnswers(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"nothing": func(http.ResponseWriter) {},
		"a piece": func(w http.ResponseWriter) { fmt.Fprint(w, "{"); w.(http.Flusher).Flush() },
	} {
		ended := make(chan struct{})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w); <-ended }))
		h := &hub.Hub{URL: s.URL, Idle: 20 * time.Millisecond, Sleep: func(context.Context, time.Duration) error { return nil }}
		_, err := h.Pull(t.Context(), "a/b", "main", t.TempDir(), nil)
		if err == nil || !strings.Contains(err.Error(), "silent") {
			t.Errorf("%s: %v", name, err)
		}
		close(ended)
		s.Close()
	}
}

func TestPullChecksFirst(t *testing.T) {
	f := newFake(t)
	refused := errors.New("no BERT")
	h := &hub.Hub{URL: f.hub.URL, Token: token}
	if _, err := h.Pull(t.Context(), "ada/tiny", "main", t.TempDir(), func() error { return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	if all := strings.Join(f.served, "\n"); strings.Contains(all, "store") {
		t.Error(all)
	}
}

func TestCheck(t *testing.T) {
	for _, h := range []hub.Hub{{URL: "ftp://x"}, {URL: "nowhere"}, {URL: "https://me:pw@x"}, {URL: "http://mirror.example.org", Token: token}} {
		if err := h.Check(); err == nil || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: %v", h.URL, err)
		}
	}
	for _, h := range []hub.Hub{{}, {URL: "http://mirror.example.org/"}, {URL: "http://127.0.0.1:1", Token: token}} {
		if err := h.Check(); err != nil {
			t.Error(err)
		}
	}
}
