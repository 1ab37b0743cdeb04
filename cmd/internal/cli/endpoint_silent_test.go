package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
		{"a refusal", hook, 401, 0, true, "another key"},
		{"which is no silence", hook, 503, 0, true, "503"},
		{"silence", hook, 200, 59 * time.Second, false, "was silent 59s ago"},
		{"a minute later", hook, 503, time.Second, true, "503"},
		{"a person", person, 503, 0, true, "503"},
		{"still silent", hook, 200, time.Second, false, "was silent 1s ago"},
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
