package models

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/recall/embed/endpoint"
)

// One prompt waits for an endpoint that is silent, those of the next minute do not; who
// is not hurried asks it, and its answer counts for all.
func TestSilentEndpointIsNotWaitedFor(t *testing.T) {
	var requests atomic.Int32
	var status atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(int(status.Load()))
		_, _ = w.Write([]byte(`{"data":[{"index":0,"embedding":[1,0]}]}`))
	}))
	defer s.Close()
	e, err := endpoint.New(endpoint.Options{URL: s.URL, Model: "m", Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	hook := endpointEmbedder{Endpoint: e, dir: t.TempDir(), now: func() time.Time { return now }, hurried: true}
	person := hook
	person.hurried = false
	for _, tt := range []struct {
		what   string
		who    endpointEmbedder
		status int
		after  time.Duration
		asked  bool
		err    string
	}{
		{"a refusal", hook, 401, 0, true, "the key was refused"},
		{"which is no silence", hook, 503, 0, true, "503"},
		{"silence", hook, 200, 59 * time.Second, false, "did not answer 59s ago"},
		{"a minute later", hook, 503, time.Second, true, "503"},
		{"a person", person, 503, 0, true, "503"},
		{"still silent", hook, 200, time.Second, false, "did not answer 1s ago"},
		{"it answers a person", person, 200, 0, true, ""},
		{"and everybody", hook, 503, 0, true, "503"},
		{"a clock set back", hook, 200, -time.Hour, true, ""},
	} {
		now = now.Add(tt.after)
		status.Store(int32(tt.status))
		before := requests.Load()
		_, err := tt.who.Queries(t.Context(), []string{"x"})
		if asked := requests.Load() > before; asked != tt.asked {
			t.Errorf("%s: asked is %v", tt.what, asked)
		}
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.err)
		}
	}
	if err := os.WriteFile(hook.silentFile(), []byte("\x00damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := hook.Documents(t.Context(), []string{"x"}); err != nil {
		t.Errorf("a damaged note: %v", err)
	}
}

// A link in the place of what is kept of an endpoint is neither believed nor written through.
func TestEndpointFollowsNoLink(t *testing.T) {
	here, theirs := &Set{Home: t.TempDir(), Now: time.Now}, t.TempDir()
	const url, model = "http://127.0.0.1:9/v1", "m"
	dir := here.endpointDir(url, model)
	record := filepath.Join(theirs, "endpoint.json")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(record, []byte(`{"url":"`+url+`","model":"m","dim":2}`), 0o600), os.Symlink(record, filepath.Join(dir, "endpoint.json"))); err != nil {
		t.Skip(err)
	}
	c, err := config.Load(config.Sources{Env: []string{"SAGE_ENDPOINT_URL=" + url, "SAGE_ENDPOINT_MODEL=" + model}})
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"endpoint.json", ""} {
		if _, err := here.endpoint(c); err == nil || !strings.Contains(err.Error(), "is a symbolic link, and nothing of git-sage's: rm '"+filepath.Join(dir, what)+"'") {
			t.Errorf("%q: %v", what, err)
		}
		if err := errors.Join(os.RemoveAll(dir), os.Symlink(theirs, dir)); err != nil { // then the folder
			t.Fatal(err)
		}
	}
	e := endpointEmbedder{dir: t.TempDir(), now: time.Now}
	silent := filepath.Join(theirs, "silent")
	said := []byte(e.now().UTC().Format(time.RFC3339Nano))
	if err := errors.Join(os.WriteFile(silent, said, 0o600), os.Symlink(silent, e.silentFile())); err != nil {
		t.Fatal(err)
	}
	if _, resting := e.rests(); resting {
		t.Error("a link says that it was silent")
	}
	if err := e.asked(func() error { return endpoint.ErrSilent }); !errors.Is(err, endpoint.ErrSilent) {
		t.Error(err)
	}
	if b, err := os.ReadFile(silent); err != nil || string(b) != string(said) {
		t.Errorf("written through a link: %q, %v", b, err)
	}
	if _, resting := e.rests(); !resting {
		t.Error("what is our own says nothing")
	}
}
