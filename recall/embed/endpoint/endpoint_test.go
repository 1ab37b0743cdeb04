package endpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/endpoint"
)

const key = "sk-very-secret-0123456789"

// server answers as it is told, one handler a request, the last for all others.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []map[string]any
	slept []time.Duration
}

func serve(t *testing.T, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		body["path"], body["key"] = r.URL.Path, r.Header.Get("Authorization")
		s.mu.Lock()
		n := len(s.asked)
		s.asked = append(s.asked, body)
		s.mu.Unlock()
		answers[min(n, len(answers)-1)](w, r.WithContext(context.WithValue(r.Context(), inputs{}, body["input"])))
	}))
	t.Cleanup(s.Close)
	return s
}

type inputs struct{}

// vectorsOf answers with vectors of three numbers that tell how long the texts are, the
// last one first.
func vectorsOf(w http.ResponseWriter, r *http.Request) {
	texts := r.Context().Value(inputs{}).([]any)
	var data []any
	for i := len(texts) - 1; i >= 0; i-- {
		data = append(data, map[string]any{"index": i, "embedding": []float64{float64(len(texts[i].(string))), 1, 0}})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func says(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(code)
		fmt.Fprint(w, text)
	}
}

func (s *server) open(t *testing.T, dim int) *endpoint.Endpoint {
	t.Helper()
	e, err := endpoint.New(endpoint.Options{URL: s.URL + "/v1", Model: "m", Key: key, Dim: dim, Sleep: func(_ context.Context, d time.Duration) error {
		s.slept = append(s.slept, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestVectorsInOrder(t *testing.T) {
	s := serve(t, vectorsOf)
	e := s.open(t, 3)
	texts := make([]string, 130)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	texts[7] = " \n"
	var model embed.Embedder = e
	v, err := model.Documents(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		n := float64(i + 1)
		if i == 7 {
			n = 1 // what stands for nothing
		}
		if want := n / math.Sqrt(n*n+1); math.Abs(float64(v[i][0])-want) > 1e-6 {
			t.Fatalf("vector %d: %v, want %v", i, v[i], want)
		}
	}
	if len(s.asked) != 3 || s.asked[0]["path"] != "/v1/embeddings" || s.asked[0]["model"] != "m" || s.asked[0]["key"] != "Bearer "+key {
		t.Errorf("%d requests, the first %v", len(s.asked), s.asked[0])
	}
	if v, err := e.Documents(t.Context(), nil); err != nil || len(v) != 0 || len(s.asked) != 3 {
		t.Errorf("no text: %v, %v", v, err)
	}
}

func TestTriesAgain(t *testing.T) {
	s := serve(t, says(429, "slow down"), says(503, ""), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"data":`)
	}, vectorsOf)
	v, err := s.open(t, 0).Documents(t.Context(), []string{"one"})
	if err != nil || len(v) != 1 || len(s.asked) != 4 {
		t.Fatalf("%v, %v, %d requests", v, err, len(s.asked))
	}
	if fmt.Sprint(s.slept) != fmt.Sprint([]time.Duration{3 * time.Second, 3 * time.Second, time.Second}) {
		t.Errorf("waited %v", s.slept)
	}
}

// What is wrong is said, without the key, and not tried again where that is no use.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		what  string
		with  http.HandlerFunc
		want  string
		tries int
	}{
		{"busy for ever", says(429, "slow down "+key), "429 Too Many Requests: slow down ***", 4},
		{"broken", says(500, `{"error":{"message":"out of memory"}}`), "500 Internal Server Error: out of memory", 4},
		{"a wrong key", says(401, "no "+key), "the key was refused (no ***)", 1},
		{"nothing there", says(404, "no such page"), "404 Not Found: no such page", 1},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.org/x", http.StatusTemporaryRedirect)
		}, "redirected to 'http://example.org/x'", 1},
		{"an error that says it is none", says(200, `{"error":{"message":"unknown model"}}`), "unknown model", 1},
		{"a page", says(200, "<html>"), "the answer is not a list of vectors", 1},
		{"too few", says(200, `{"data":[]}`), "0 vectors for 1 texts", 1},
		{"a wrong place", says(200, `{"data":[{"index":1,"embedding":[1]}]}`), "index 1 among 1", 1},
		{"another width", says(200, `{"data":[{"index":0,"embedding":[1,0]}]}`), "a vector of 2 numbers instead of 3", 1},
		{"no numbers", says(200, `{"data":[{"index":0,"embedding":[NaN,0,0]}]}`), "the answer is not a list of vectors", 1},
		{"no length", says(200, `{"data":[{"index":0,"embedding":[0,0,0]}]}`), "a vector without a length", 1},
		{"too large", says(200, `{"data":[{"index":0,"embedding":[1e39,0,0]}]}`), "the answer is not a list of vectors", 1},
	} {
		s := serve(t, tt.with)
		v, err := s.open(t, 3).Documents(t.Context(), []string{"one"})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), key) || len(s.asked) != tt.tries {
			t.Errorf("%s: %v, %v, %d requests", tt.what, v, err, len(s.asked))
		}
	}
}

// A server that never answers is waited for as long as the caller likes; a query has a
// limit of its own.
func TestNobodyWaitsForEver(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	e, err := endpoint.New(endpoint.Options{URL: s.URL, Model: "m", Within: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Queries(t.Context(), []string{"one"}); err == nil || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Documents(ctx, []string{"one"}); err != context.Canceled {
		t.Error(err)
	}
}

// A server that cannot be reached is not tried again at once.
func TestNobodyThere(t *testing.T) {
	s := serve(t, vectorsOf)
	e := s.open(t, 3)
	s.Close()
	if _, err := e.Documents(t.Context(), []string{"one"}); !errors.Is(err, endpoint.ErrSilent) || len(s.slept) != 0 {
		t.Errorf("%v, waited %v", err, s.slept)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []endpoint.Options{
		{}, {URL: "https://example.org"}, {URL: "file:///etc/passwd", Model: "m"}, {URL: "example.org/v1", Model: "m"}, {URL: "https://me:pw@example.org", Model: "m"},
		{URL: "http://example.org", Model: "m", Key: key}, // in the clear
	} {
		if e, err := endpoint.New(o); err == nil {
			t.Errorf("%+v: %v", o, e)
		} else if strings.Contains(err.Error(), key) {
			t.Error(err)
		}
	}
	for _, u := range []string{"http://localhost:8080", "http://[::1]:1/v1/embeddings", "https://example.org/x/"} {
		if _, err := endpoint.New(endpoint.Options{URL: u, Model: "m", Key: key}); err != nil {
			t.Error(err)
		}
	}
}

func TestNamesDiffer(t *testing.T) {
	names := map[string]bool{}
	for _, o := range []endpoint.Options{{URL: "https://a", Model: "m"}, {URL: "https://b", Model: "m"}, {URL: "https://a", Model: "n"}} {
		e, err := endpoint.New(o)
		if err != nil {
			t.Fatal(err)
		}
		names[e.Model().Name] = true
	}
	if len(names) != 3 {
		t.Error(names)
	}
}

// A server may say the key again, also where what it says is cut.
func TestNoPieceOfTheKeyIsTold(t *testing.T) {
	said := strings.Repeat("x", 290) + key
	for name, answer := range map[string]http.HandlerFunc{
		"refused":   says(http.StatusBadRequest, said),
		"forbidden": says(http.StatusForbidden, `{"error":{"message":"`+said+`"}}`),
		"elsewhere": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://example.com/"+said)
			w.WriteHeader(http.StatusFound)
		},
	} {
		_, err := serve(t, answer).open(t, 3).Documents(t.Context(), []string{"a"})
		if err == nil || strings.Contains(err.Error(), "sk-") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a server asks to be waited for is believed within bounds.
func TestWaitsNoLongerThanItMay(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "9999999999")
		w.WriteHeader(http.StatusTooManyRequests)
	}, vectorsOf)
	if _, err := s.open(t, 3).Documents(t.Context(), []string{"a"}); err != nil || len(s.slept) != 1 || s.slept[0] != 20*time.Second {
		t.Errorf("waited %v, %v", s.slept, err)
	}
}
