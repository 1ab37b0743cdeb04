package converse

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
)

const secretKey = "sk-very-secret-0123456789"

// events writes server-sent events of Anthropic's protocol.
func events(w http.ResponseWriter, list ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, data := range list {
		var v struct{ Type string }
		_ = json.Unmarshal([]byte(data), &v)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", v.Type, data)
	}
}

const (
	started = `{"type":"message_start","message":{"model":"m-2","usage":{"input_tokens":90,"cache_read_input_tokens":10,"output_tokens":1}}}`
	hello   = `{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hello, "}}`
	world   = `{"type":"content_block_delta","delta":{"type":"text_delta","text":"world."}}`
	ends    = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}`
	cutOff  = `{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":7}}`
	stopped = `{"type":"message_stop"}`
)

// An asked is what became of a question.
type asked struct {
	Answer
	pieces []string
	waited []time.Duration
	err    error
}

// askAt asks a server whose handler answers, under a path.
func askAt(t *testing.T, path string, h http.HandlerFunc, change ...func(*Asker)) asked {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return ask(t, t.Context(), Settings{Setting: "ask", Target: srv.URL + path, Model: "m", KeyEnv: "KEY"}, change...)
}

func ask(t *testing.T, ctx context.Context, s Settings, change ...func(*Asker)) (out asked) {
	t.Helper()
	a := &Asker{Settings: s, World: World{Env: []string{"KEY=" + secretKey}, Home: t.TempDir(), Now: time.Now}}
	a.Text = func(text string) { out.pieces = append(out.pieces, text) }
	a.wait = func(_ context.Context, d time.Duration) error { out.waited = append(out.waited, d); return nil }
	for _, f := range change {
		f(a)
	}
	out.Answer, out.err = a.Ask(ctx, Request{System: "Be brief.", Turns: []Turn{{Text: "One?"}, {Agent: true, Text: "Two."}, {Text: "Three?"}}, Most: 100})
	return out
}

func TestMessagesStream(t *testing.T) {
	r := askAt(t, "/v1/messages", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		want := `{"max_tokens":100,"messages":[{"content":"One?","role":"user"},{"content":"Two.","role":"assistant"},{"content":"Three?","role":"user"}],"model":"m","stream":true,"system":"Be brief."}`
		if string(b) != want || r.Header.Get("x-api-key") != secretKey || r.Header.Get("anthropic-version") == "" {
			t.Errorf("%v %s", r.Header, b)
		}
		events(w, started, `{"type":"ping"}`, hello, world, ends, stopped)
	})
	if r.err != nil || r.Text != "Hello, world." || !slices.Equal(r.pieces, []string{"Hello, ", "world."}) || r.Use != (Use{"m-2", 100, 10, 7}) || r.Cut {
		t.Errorf("%+v", r)
	}
	if r := askAt(t, "/messages", func(w http.ResponseWriter, _ *http.Request) { events(w, hello, cutOff, stopped) }); r.err != nil || !r.Cut {
		t.Errorf("cut: %+v", r)
	}
	if r := askAt(t, "/messages", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"At once."}],"usage":{"input_tokens":3,"output_tokens":2}}`)
	}); r.err != nil || r.Text != "At once." || r.Use.Input != 3 {
		t.Errorf("whole: %+v", r)
	}
}

// A server that does not know the newest options is asked without them.
func TestCompletionsStream(t *testing.T) {
	n := 0
	r := askAt(t, "/v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		_ = json.NewDecoder(r.Body).Decode(&in)
		if n++; in["stream_options"] != nil {
			http.Error(w, "unknown field stream_options", http.StatusBadRequest)
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+secretKey || fmt.Sprint(in["messages"]) != "[map[content:Be brief. role:system] map[content:One? role:user] map[content:Two. role:assistant] map[content:Three? role:user]]" {
			t.Errorf("%v: %v", r.Header, in)
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, ": comment\n\ndata: {\"model\":\"q\",\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n")
	})
	if r.err != nil || n != 2 || r.Text != "Hello" || r.Use != (Use{"q", 9, 0, 2}) || !r.Cut {
		t.Errorf("%+v after %d requests", r, n)
	}
}

// What is wrong is told without the key, as what it is, and a busy model is asked again, at
// most twice and as late as it says, unless that is too long.
func TestAskFails(t *testing.T) {
	says := func(code int, text, after string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
		}
	}
	for _, tt := range []struct {
		what, want string
		h          http.HandlerFunc
		busy, bad  bool
		waited     []time.Duration
		text       string
	}{
		{"a wrong key", "401 Unauthorized: no ***", says(401, "no "+secretKey, ""), false, true, nil, ""},
		{"no such model", "404 Not Found", says(404, "no model", ""), false, true, nil, ""},
		{"too many", "429 Too Many Requests", says(429, "slow down", "7"), true, false, []time.Duration{7 * time.Second, 7 * time.Second}, ""},
		{"too many for long", "429 Too Many Requests", says(429, "slow down", "900"), true, false, nil, ""},
		{"overloaded", "529", says(529, "overloaded", ""), true, false, []time.Duration{time.Second, 4 * time.Second}, ""},
		{"broken", "500 Internal Server Error: a web page, 'Sorry'", says(500, "<html><title>Sorry</title>", ""), true, false, []time.Duration{time.Second, 4 * time.Second}, ""},
		{"a long prompt", "400 Bad Request: too long", says(400, `{"error":{"message":"too long"}}`, ""), false, false, nil, ""},
		{"overloaded in the stream", "overloaded_error: Overloaded", func(w http.ResponseWriter, _ *http.Request) {
			events(w, started, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
		}, true, false, []time.Duration{time.Second, 4 * time.Second}, ""},
		{"refused in the stream", "invalid_request_error: no ***", func(w http.ResponseWriter, _ *http.Request) {
			events(w, hello, `{"type":"error","error":{"type":"invalid_request_error","message":"no `+secretKey+`"}}`)
		}, false, false, nil, "Hello, "},
		{"broken off", "the answer broke off", func(w http.ResponseWriter, _ *http.Request) { events(w, started, hello) }, true, false, nil, "Hello, "},
		{"cut short", "unexpected EOF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "data: "+hello+"\n\n")
		}, true, false, nil, "Hello, "},
		{"a page", "does not have the form", says(200, "<html>", ""), false, false, nil, ""},
		{"junk", "does not have the form", func(w http.ResponseWriter, _ *http.Request) { events(w, hello, "{") }, false, false, nil, "Hello, "},
		{"a long line", "a line of the answer exceeds 1 MB", func(w http.ResponseWriter, _ *http.Request) {
			events(w, started)
			_, _ = io.WriteString(w, "data: "+strings.Repeat("x", maxLine)+"\n\n")
		}, false, false, nil, ""},
		{"nothing", "the answer is empty", func(w http.ResponseWriter, _ *http.Request) { events(w, started, ends, stopped) }, false, false, nil, ""},
		{"elsewhere", "redirected to 'https://example.org/'", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://example.org/")
			w.WriteHeader(307)
		}, false, false, nil, ""},
	} {
		r := askAt(t, "/v1/messages", tt.h)
		_, busy := errors.AsType[*BusyError](r.err)
		_, bad := errors.AsType[*RefusedError](r.err)
		if r.err == nil || tt.what != "cut short" && !strings.Contains(r.err.Error(), tt.want) || strings.Contains(r.err.Error(), secretKey) || busy != tt.busy || bad != tt.bad {
			t.Errorf("%s: %v (busy %t, refused %t)", tt.what, r.err, busy, bad)
		}
		if !slices.Equal(r.waited, tt.waited) || r.Text != tt.text {
			t.Errorf("%s: waited %v, said %q", tt.what, r.waited, r.Text)
		}
	}
}

// An answer that does not end is given up, and so is a server that only says that it is there.
func TestAskWithoutEnd(t *testing.T) {
	piece := fmt.Sprintf(`{"type":"content_block_delta","delta":{"type":"text_delta","text":%q}}`, strings.Repeat("x", 1<<19))
	r := askAt(t, "/messages", func(w http.ResponseWriter, _ *http.Request) {
		for range 10 {
			events(w, piece)
		}
	})
	if r.err == nil || !strings.Contains(r.err.Error(), "the answer exceeds 4 MB") || len(r.Text) != maxReply {
		t.Errorf("%v after %d bytes", r.err, len(r.Text))
	}
	r = askAt(t, "/messages", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			events(w, `{"type":"ping"}`)
			w.(http.Flusher).Flush()
		}
	}, func(a *Asker) { a.all = 10 * time.Millisecond })
	if r.err == nil || !strings.Contains(r.err.Error(), "did not end its answer within 10ms") || r.waited != nil {
		t.Error(r.err, r.waited)
	}
}

// The key is read once for a conversation, and again when it was refused.
func TestKeyIsReadOnce(t *testing.T) {
	keys, refuse := []string{}, false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if keys = append(keys, r.Header.Get("x-api-key")); refuse {
			w.WriteHeader(401)
			return
		}
		events(w, hello, stopped)
	}))
	defer srv.Close()
	a := &Asker{Settings: Settings{Target: srv.URL + "/messages", Model: "m", KeyEnv: "KEY"}, World: World{Now: time.Now}, Text: func(string) {}}
	for _, key := range []string{"one", "two", "three", "four"} {
		a.World.Env, refuse = []string{"KEY=" + key}, key == "two"
		_, _ = a.Ask(t.Context(), Request{})
	}
	if want := []string{"one", "one", "three", "three"}; !slices.Equal(keys, want) {
		t.Errorf("asked with %q, want %q", keys, want)
	}
}

// A model that is busy once answers the second time.
func TestAskAgain(t *testing.T) {
	n := 0
	r := askAt(t, "/messages", func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(429)
			return
		}
		events(w, hello, ends, stopped)
	})
	if r.err != nil || r.Text != "Hello, " || !slices.Equal(r.waited, []time.Duration{2 * time.Second}) {
		t.Errorf("%+v", r)
	}
}

// One that says nothing any more is given up, and a person who interrupts waits for nobody.
func TestAskHangs(t *testing.T) {
	hang := func(said ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if len(said) > 0 {
				events(w, said...)
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		}
	}
	if r := askAt(t, "/messages", hang(), func(a *Asker) { a.first = time.Millisecond }); r.err == nil || !strings.Contains(r.err.Error(), "did not answer within 1ms") {
		t.Error(r.err)
	}
	if r := askAt(t, "/messages", hang(started, hello), func(a *Asker) { a.next = time.Millisecond }); r.err == nil || r.Text == "" {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	srv := httptest.NewServer(hang(started, hello))
	defer srv.Close()
	r := ask(t, ctx, Settings{Target: srv.URL + "/messages", Model: "m"}, func(a *Asker) { a.Text = func(string) { cancel() } })
	if !errors.Is(r.err, context.Canceled) || r.Text != "Hello, " {
		t.Errorf("%+v", r)
	}
}

// Who names no model gets one that the endpoint has.
func TestUsualModel(t *testing.T) {
	for path, want := range map[string]string{"/v1/messages": "claude-sonnet-5", "/v1/chat/completions": "claude-opus-5"} {
		model := ""
		r := askAt(t, path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "GET" && r.URL.Path == "/v1/models" {
				_, _ = io.WriteString(w, `{"data":[{"id":"claude-opus-5"},{"id":"claude-sonnet-5"}]}`)
				return
			}
			var in struct{ Model string }
			_ = json.NewDecoder(r.Body).Decode(&in)
			model = in.Model
			if events(w, hello, stopped); path != "/v1/messages" {
				_, _ = io.WriteString(w, `data: {"choices":[{"delta":{"content":"Hello."}}]}`+"\n\ndata: [DONE]\n\n")
			}
		}, func(a *Asker) { a.Settings.Model = "" })
		if r.err != nil || model != want {
			t.Errorf("%s: asked %q: %v", path, model, r.err)
		}
	}
	r := askAt(t, "/messages", http.NotFound, func(a *Asker) { a.Settings.Model = "" })
	if refused, ok := errors.AsType[*RefusedError](r.err); !ok || refused.Cure != "git sage config set ask_model <model>" {
		t.Error(r.err)
	}
}

// Whom to ask is known by the settings, or by what there is.
func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		env    []string
		s      Settings
		target string
	}{
		{[]string{"ANTHROPIC_API_KEY=x"}, Settings{}, "https://api.anthropic.com/v1/messages"},
		{[]string{"ANTHROPIC_API_KEY=x", "ANTHROPIC_BASE_URL=http://localhost:1/"}, Settings{}, "http://localhost:1/v1/messages"},
		{nil, Settings{KeyCommand: "pass key"}, "https://api.anthropic.com/v1/messages"},
		{[]string{"ANTHROPIC_API_KEY=x"}, Settings{Target: Claude}, Claude},
	} {
		s, err := tt.s.Resolve(World{Env: tt.env})
		if err != nil || s.Target != tt.target {
			t.Errorf("%v: %+v, %v", tt.env, s, err)
		}
	}
	if _, err := (Settings{Setting: "ask"}).Resolve(World{Env: []string{"PATH="}}); err == nil || !strings.Contains(err.Error(), "no model to ask") {
		t.Error(err)
	}
}
