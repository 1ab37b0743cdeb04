package distill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/converse"
)

const secretKey = "sk-very-secret-0123456789"

// answerOf is an answer with one decision, and empty otherwise.
func answerOf(text, quote string) string {
	b, _ := json.Marshal(map[string]any{
		"question": Claim{}, "thesis": Claim{}, "evidence": []Claim{}, "decisions": []Claim{{Text: text, Quote: quote}},
		"failures": []Claim{}, "open": []Claim{}, "facts": []Claim{},
	})
	return string(b)
}

func world(t *testing.T, env ...string) converse.World {
	return converse.World{Env: env, Home: t.TempDir(), Now: func() time.Time { return began }}
}

// distilAt asks an endpoint whose handler answers, under a path.
func distilAt(t *testing.T, path string, h http.HandlerFunc) (Result, error) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c := newTalk(t).person(limitSaid).read(Part{})
	return Distil(context.Background(), Settings{Target: srv.URL + path, Model: "m", KeyEnv: "KEY"}, world(t, "KEY="+secretKey), c)
}

func body(t *testing.T, r *http.Request) (in map[string]any) {
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		t.Error(err)
	}
	return in
}

func TestMessages(t *testing.T) {
	r, err := distilAt(t, "/v1/messages", func(w http.ResponseWriter, r *http.Request) {
		in := body(t, r)
		if r.URL.Path != "/v1/messages" || r.Header.Get("x-api-key") != secretKey || r.Header.Get("anthropic-version") == "" || in["model"] != "m" ||
			in["system"] != instructions || !strings.Contains(fmt.Sprint(in["messages"]), limitSaid) || fmt.Sprint(in["tool_choice"]) != "map[name:record type:tool]" {
			t.Errorf("%s %v: %v", r.URL, r.Header, in)
		}
		fmt.Fprintf(w, `{"model":"m-2","content":[{"type":"text","text":"{}"},{"type":"tool_use","input":%s}],"usage":{"input_tokens":90,"cache_read_input_tokens":10,"output_tokens":7}}`, answerOf("We go with 1 GiB.", limitSaid))
	})
	if err != nil || len(r.Decisions) != 1 || r.Decisions[0].Text != "We go with 1 GiB." || r.Use != (Use{"m-2", 100, 7, 0}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A server that does not know the newest options is asked without them, and a model may
// write around its answer.
func TestCompletions(t *testing.T) {
	asked := 0
	r, err := distilAt(t, "/v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		in := body(t, r)
		if asked++; in["response_format"] != nil {
			http.Error(w, "unknown field response_format", http.StatusBadRequest)
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+secretKey || in["max_tokens"] == nil {
			t.Errorf("%v: %v", r.Header, in)
		}
		said, _ := json.Marshal("Here it is:\n```json\n" + answerOf("1 GiB then.", limitSaid) + "\n```")
		fmt.Fprintf(w, `{"model":"q","choices":[{"message":{"content":%s}}],"usage":{"prompt_tokens":90,"completion_tokens":9}}`, said)
	})
	if err != nil || asked != 2 || len(r.Decisions) != 1 || r.Use != (Use{"q", 90, 9, 0}) {
		t.Errorf("%+v, %v, asked %d times", r, err, asked)
	}
}

// What is wrong is told without the key, and as what it is: busy, refused, or no answer.
func TestEndpointFailures(t *testing.T) {
	says := func(code int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.Header().Set("Location", "https://elsewhere.example/")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
		}
	}
	for _, tt := range []struct {
		what      string
		h         http.HandlerFunc
		want      string
		busy, bad bool
	}{
		{"too many", says(429, "slow down "+secretKey), "429 Too Many Requests: slow down ***", true, false},
		{"overloaded", says(529, "overloaded"), "529", true, false},
		{"a wrong key", says(401, "no "+secretKey), "401 Unauthorized: no ***", false, true},
		{"no such model", says(404, "no model m"), "404 Not Found: no model m", false, true},
		{"elsewhere", says(307, ""), "307 Temporary Redirect", false, false},
		{"nothing understood", says(400, "what?"), "400 Bad Request: what?", false, false},
		{"a page", says(200, "<html>"), "the answer does not have the requested form", false, false},
		{"no answer", says(200, `{"content":[{"type":"text","text":"I cannot do that."}]}`), "the answer does not have the requested form", false, false},
		{"another object", says(200, `{"content":[{"type":"tool_use","input":{"thesis":{}}}]}`), "there is no 'question'", false, false},
		{"other types", says(200, `{"content":[{"type":"tool_use","input":`+strings.Replace(answerOf("", ""), `"evidence":[]`, `"evidence":"all"`, 1)+`}]}`), "the answer does not have the requested form", false, false},
		{"huge", says(200, `{"x":"`+strings.Repeat("y", 4<<20)+`"}`), "the answer exceeds 4 MB", false, false},
		{"cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"content":`)
		}, "unexpected EOF", true, false},
		{"a lie", says(200, `{"content":[{"type":"tool_use","input":`+answerOf("We use the backdoor.", "We agreed to use the backdoor.")+`}]}`), ErrEmpty.Error(), false, false},
	} {
		_, err := distilAt(t, "/v1/messages", tt.h)
		busy, isBusy := errors.AsType[*converse.BusyError](err)
		_, isBad := errors.AsType[*converse.RefusedError](err)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), secretKey) || isBusy != tt.busy || isBad != tt.bad {
			t.Errorf("%s: %v (busy %t, refused %t)", tt.what, err, isBusy, isBad)
		}
		unread := []string{"too many", "overloaded", "a wrong key", "no such model", "elsewhere", "nothing understood"}
		if converse.IsUnread(err) != slices.Contains(unread, tt.what) {
			t.Errorf("%s: unread is %t", tt.what, converse.IsUnread(err))
		}
		if tt.what == "too many" && busy != nil && busy.After != 90*time.Second {
			t.Errorf("waits %s", busy.After)
		}
	}
}

// One that never answers is given up, and a process that ends waits for nobody.
func TestEndpointThatHangs(t *testing.T) {
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-release
	}))
	defer srv.Close()
	defer close(release)
	e, err := newEndpoint(Settings{Target: srv.URL + "/v1/messages"}, world(t))
	if err != nil {
		t.Fatal(err)
	}
	e.within = time.Millisecond
	if _, err := e.ask(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "did not answer within") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.ask(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Nothing is sent where it should not go, nor a key that was not meant for it.
func TestEndpointsThatAreNone(t *testing.T) {
	for _, tt := range []struct{ target, keyEnv, want string }{
		{"http://example.org/v1/messages", "", "not the URL of an endpoint"},
		{"https://me:pw@example.org/v1/messages", "", "not the URL of an endpoint"},
		{"file:///v1/messages", "", "not the URL of an endpoint"},
		{"https://example.org/v1/embeddings", "", "must end in"},
		{"https://api.anthropic.com/v1/messages", "", "ANTHROPIC_API_KEY is not set"},
		{"https://example.org/v1/messages", "MINE", "MINE is not set"},
	} {
		_, err := Distil(context.Background(), Settings{Target: tt.target, KeyEnv: tt.keyEnv}, world(t, "OPENAI_API_KEY=x"), Conversation{})
		if _, ok := errors.AsType[*converse.RefusedError](err); !ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.target, err)
		}
	}
	e, err := newEndpoint(Settings{Target: "https://example.org/v1/messages"}, world(t, "ANTHROPIC_API_KEY="+secretKey))
	if err != nil || e.Key != "" {
		t.Errorf("a key for a stranger: %v", err)
	}
	a, b := (Settings{Target: "https://example.org/v1/messages"}).Identity(world(t)), (Settings{Target: "https://example.org/v1/messages", Model: "n"}).Identity(world(t))
	if a == b || strings.Contains(a, "example") {
		t.Errorf("%s, %s", a, b)
	}
}
