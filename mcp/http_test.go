package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/mcp/internal/overhttp"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/recall"
)

const testToken = "0123456789abcdef0123456789abcdef"

// A web is a server over HTTP, for a test.
type web struct {
	t    *testing.T
	url  string
	host string
	stop context.CancelFunc
	done chan error
}

func serveWeb(t *testing.T, o Options) *web {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &web{t: t, host: l.Addr().String(), url: "http://" + l.Addr().String() + Path, stop: stop, done: make(chan error, 1)}
	o.Version = "1.2.3"
	go func() { h.done <- ServeHTTP(ctx, l, o, testToken, "named.example") }()
	t.Cleanup(func() {
		stop()
		if err := <-h.done; err != nil {
			t.Errorf("ServeHTTP: %v", err)
		}
	})
	return h
}

// request is one that is as it should be, but for what change does to it.
func (h *web) request(method, body string, change ...func(*http.Request)) *http.Request {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, f := range change {
		f(r)
	}
	return r
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
}

func (h *web) send(r *http.Request) (*http.Response, string) {
	h.t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp, string(b)
}

const initializeLine = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// begin shakes hands, and returns what names the session.
func (h *web) begin() func(*http.Request) {
	h.t.Helper()
	resp, body := h.send(h.request("POST", initializeLine))
	id := resp.Header.Get(overhttp.SessionHeader)
	if resp.StatusCode != 200 || len(id) < 32 || !strings.Contains(body, `"protocolVersion":"2025-06-18"`) {
		h.t.Fatalf("initialize: %s, session %q\n%s", resp.Status, id, body)
	}
	named := header(overhttp.SessionHeader, id)
	if resp, body := h.send(h.request("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, named)); resp.StatusCode != 202 || body != "" {
		h.t.Fatalf("initialized: %s %q", resp.Status, body)
	}
	return named
}

func callLine(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// Two clients have sessions of their own, and one that ended is gone.
func TestHTTP(t *testing.T) {
	var mu sync.Mutex
	var sessions []string
	h := serveWeb(t, Options{Open: func(_ context.Context, session string) (*recall.Memory, error) {
		mu.Lock()
		defer mu.Unlock()
		sessions = append(sessions, session)
		return nil, errors.New("not here")
	}})
	one, other := h.begin(), h.begin()
	for _, named := range []func(*http.Request){one, other, one} {
		resp, body := h.send(h.request("POST", callLine(`"a"`, "sage_list_checkpoints", "{}"), named, header(overhttp.VersionHeader, "2025-06-18")))
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" || !strings.Contains(body, `"id":"a"`) || !strings.Contains(body, "not here") {
			t.Errorf("%s %s", resp.Status, body)
		}
	}
	slices.Sort(sessions)
	if got := slices.Compact(sessions); len(got) != 2 || !strings.HasPrefix(got[0], "mcp-") {
		t.Errorf("sessions %q", got)
	}
	if resp, body := h.send(h.request("POST", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, one)); !strings.Contains(body, "sage_save_checkpoint") {
		t.Errorf("%s %s", resp.Status, body)
	}
	if resp, _ := h.send(h.request("DELETE", "", one)); resp.StatusCode != 204 {
		t.Errorf("DELETE: %s", resp.Status)
	}
	if resp, _ := h.send(h.request("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, one)); resp.StatusCode != 404 {
		t.Errorf("a session that ended: %s", resp.Status)
	}
	if resp, body := h.send(h.request("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, other)); resp.StatusCode != 200 || body != `{"jsonrpc":"2.0","id":2,"result":{}}` {
		t.Errorf("the other: %s %s", resp.Status, body)
	}
}

// What is not let in, or not understood, and what it is told.
func TestHTTPRefuses(t *testing.T) {
	h := serveWeb(t, Options{Open: closed})
	named := h.begin()
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	for name, tt := range map[string]struct {
		method, body string
		change       func(*http.Request)
		status       int
		says         string
	}{
		"fine":             {"POST", ping, named, 200, ""},
		"localhost":        {"POST", ping, host("localhost:1"), 200, ""},
		"loopback":         {"POST", ping, host("[::1]:80"), 200, ""},
		"mapped":           {"POST", ping, host("[::ffff:127.0.0.1]"), 200, ""},
		"named":            {"POST", ping, host("Named.Example:80"), 200, ""},
		"its own page":     {"POST", ping, header("Origin", "http://localhost:3000"), 200, ""},
		"token":            {"POST", ping, header("Authorization", ""), 401, "the token is missing"},
		"other token":      {"POST", ping, header("Authorization", "Bearer "+testToken+"0"), 401, "not this server's"},
		"half a token":     {"POST", ping, header("Authorization", "Bearer "+testToken[:31]), 401, ""},
		"empty token":      {"POST", ping, header("Authorization", "Bearer "), 401, ""},
		"not bearer":       {"POST", ping, header("Authorization", "Basic "+testToken), 401, ""},
		"two tokens":       {"POST", ping, func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") }, 401, ""},
		"host":             {"POST", ping, host("evil.example:80"), 403, "Host: "},
		"address":          {"POST", ping, host("192.0.2.1"), 403, "Host: "},
		"localhost.evil":   {"POST", ping, host("localhost.evil.example"), 403, "Host: "},
		"127.evil":         {"POST", ping, host("127.0.0.1.evil.example"), 403, "Host: "},
		"origin":           {"POST", ping, header("Origin", "https://evil.example"), 403, "Origin: "},
		"origin null":      {"POST", ping, header("Origin", "null"), 403, "Origin: "},
		"origin file":      {"POST", ping, header("Origin", "file://localhost"), 403, "Origin: "},
		"two origins":      {"POST", ping, func(r *http.Request) { r.Header["Origin"] = []string{"http://localhost", "http://evil.example"} }, 403, ""},
		"path":             {"POST", ping, func(r *http.Request) { r.URL.Path = "/" }, 404, "the server is at /mcp"},
		"PUT":              {"PUT", ping, nil, 405, ""},
		"OPTIONS":          {"OPTIONS", "", nil, 405, ""},
		"type":             {"POST", ping, header("Content-Type", "text/plain"), 415, "Content-Type"},
		"accept":           {"POST", ping, header("Accept", "text/html"), 406, "Accept"},
		"accept stream":    {"GET", "", header("Accept", "application/json"), 406, "Accept"},
		"accept all":       {"POST", ping, header("Accept", "text/html;q=1, application/*"), 200, ""},
		"no session":       {"POST", ping, header(overhttp.SessionHeader, ""), 400, "is missing"},
		"foreign session":  {"POST", ping, header(overhttp.SessionHeader, "x"), 404, "initialize starts another"},
		"no session, GET":  {"GET", "", header(overhttp.SessionHeader, ""), 400, ""},
		"no session, DEL":  {"DELETE", "", header(overhttp.SessionHeader, "y"), 404, ""},
		"version":          {"POST", ping, header(overhttp.VersionHeader, "1999-01-01"), 400, "is not known here"},
		"nothing":          {"POST", " ", nil, 400, "the body is empty"},
		"garbage":          {"POST", "{", nil, 400, "not JSON"},
		"no message":       {"POST", "3", nil, 400, "a message must be an object"},
		"batch":            {"POST", "[" + ping + "]", nil, 400, "batches"},
		"two":              {"POST", ping + ping, nil, 400, "send one per line"},
		"too long":         {"POST", `"` + strings.Repeat("x", protocol.MaxLine) + `"`, nil, 413, "longer than 16 MiB"},
		"unknown method":   {"POST", `{"jsonrpc":"2.0","id":2,"method":"x"}`, nil, 200, "-32601"},
		"of 2026":          {"POST", `{"jsonrpc":"2.0","id":"p","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, header(overhttp.SessionHeader, ""), 400, `"supported":["2025-11-25","2025-06-18"`},
		"an answer":        {"POST", `{"jsonrpc":"2.0","id":"roots-1","result":{}}`, nil, 202, ""},
		"initialize alone": {"POST", `{"jsonrpc":"2.0","method":"initialize"}`, header(overhttp.SessionHeader, ""), 400, ""},
	} {
		change := []func(*http.Request){named}
		if tt.change != nil {
			change = append(change, tt.change)
		}
		resp, body := h.send(h.request(tt.method, tt.body, change...))
		if resp.StatusCode != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s %s, want %d %q", name, resp.Status, body, tt.status, tt.says)
		}
		if tt.status >= 400 && !json.Valid([]byte(body)) {
			t.Errorf("%s: not JSON: %q", name, body)
		}
	}
}

// What is told unasked comes on the stream, of which a session has one.
func TestHTTPStream(t *testing.T) {
	n := knobs{"modules": "core,extras"}
	h := serveWeb(t, n.options(Options{Open: closed}))
	named := h.begin()
	stream := func() *bufio.Reader {
		resp, err := http.DefaultClient.Do(h.request("GET", "", named))
		if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%v %v", resp, err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		r := bufio.NewReader(resp.Body)
		if line, err := r.ReadString('\n'); line != ":\n" || err != nil { // it is there
			t.Fatalf("%q %v", line, err)
		}
		return r
	}
	first := stream()
	second := stream()
	if rest, err := io.ReadAll(first); err != nil || string(bytes.TrimSpace(rest)) != "" {
		t.Errorf("the first goes on: %q %v", rest, err)
	}
	n["modules"] = "core,knowledge,extras"
	if resp, body := h.send(h.request("POST", callLine("3", "sage_reload_config", "{}"), named)); !strings.Contains(body, "Modules were") {
		t.Errorf("%s %s", resp.Status, body)
	}
	var got string
	for !strings.Contains(got, "\n\nevent:") || !strings.HasSuffix(got, "\n\n") {
		line, err := second.ReadString('\n')
		if err != nil {
			t.Fatalf("%q %v", got, err)
		}
		got += line
		if strings.Contains(got, "list_changed\"}\n\n") {
			break
		}
	}
	if !strings.Contains(got, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n") {
		t.Errorf("told %q", got)
	}
	if resp, _ := h.send(h.request("DELETE", "", named)); resp.StatusCode != 204 {
		t.Errorf("DELETE: %s", resp.Status)
	}
	if _, err := io.ReadAll(second); err != nil {
		t.Errorf("the stream of a session that ended: %v", err)
	}
}

// held is a server in whose memory a call waits until it is let go.
func held(t *testing.T) (h *web, entered, letGo chan struct{}) {
	entered, letGo = make(chan struct{}, 9), make(chan struct{})
	return serveWeb(t, Options{Open: func(ctx context.Context, _ string) (*recall.Memory, error) {
		entered <- struct{}{}
		select {
		case <-letGo:
		case <-ctx.Done():
		}
		return nil, errors.New("let go")
	}}), entered, letGo
}

// later sends a request while the test goes on.
func (h *web) later(r *http.Request) chan string {
	got := make(chan string, 1)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			got <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		got <- resp.Status + " " + string(b)
	}()
	return got
}

// A call that is cancelled is answered as such; an id is not used twice at a time.
func TestHTTPCancel(t *testing.T) {
	h, entered, letGo := held(t)
	defer close(letGo)
	named := h.begin()
	first := h.later(h.request("POST", callLine("5", "sage_list_checkpoints", "{}"), named))
	<-entered
	if resp, body := h.send(h.request("POST", `{"jsonrpc":"2.0","id":5,"method":"ping"}`, named)); resp.StatusCode != 400 || !strings.Contains(body, "in use") {
		t.Errorf("the same id: %s %s", resp.Status, body)
	}
	h.send(h.request("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, named))
	if got := <-first; !strings.Contains(got, "200 OK") || !strings.Contains(got, `"code":-32800`) {
		t.Errorf("cancelled: %s", got)
	}
}

// When the server stops, what is under way is answered, and what comes later is not.
func TestHTTPStops(t *testing.T) {
	h, entered, letGo := held(t)
	named := h.begin()
	first := h.later(h.request("POST", callLine("5", "sage_list_checkpoints", "{}"), named))
	<-entered
	h.stop()
	close(letGo)
	if got := <-first; !strings.Contains(got, "let go") {
		t.Errorf("under way: %s", got)
	}
	err := <-h.done
	h.done <- err
	if c, err := net.Dial("tcp", h.host); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

// Who goes away without waiting has cancelled nothing.
func TestHTTPClientGoesAway(t *testing.T) {
	h, entered, letGo := held(t)
	named := h.begin()
	ctx, leave := context.WithCancel(t.Context())
	first := h.later(h.request("POST", callLine("5", "sage_list_checkpoints", "{}"), named, func(r *http.Request) { *r = *r.WithContext(ctx) }))
	<-entered
	leave()
	if got := <-first; !strings.Contains(got, "cancel") {
		t.Errorf("gone: %s", got)
	}
	close(letGo)
	if resp, body := h.send(h.request("POST", callLine("6", "sage_list_checkpoints", "{}"), named)); !strings.Contains(body, "let go") {
		t.Errorf("afterwards: %s %s", resp.Status, body)
	}
}

// There is an end of sessions: the longest unused goes, one at work stays.
func TestHTTPManySessions(t *testing.T) {
	h, entered, letGo := held(t)
	busy := h.begin()
	first := h.later(h.request("POST", callLine("5", "sage_list_checkpoints", "{}"), busy))
	<-entered
	idle := h.begin()
	for range overhttp.MaxVisits - 1 {
		h.begin()
	}
	if resp, _ := h.send(h.request("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, idle)); resp.StatusCode != 404 {
		t.Errorf("the longest unused: %s", resp.Status)
	}
	close(letGo)
	if got := <-first; !strings.Contains(got, "let go") {
		t.Errorf("at work: %s", got)
	}
}

// Many at once, in few sessions that come and go.
func TestHTTPAtOnce(t *testing.T) {
	h := serveWeb(t, Options{Open: closed})
	var all sync.WaitGroup
	for range 4 {
		named := h.begin()
		for i := range 8 {
			all.Go(func() {
				got := <-h.later(h.request("POST", callLine(fmt.Sprint(i), "sage_list_checkpoints", "{}"), named))
				if !strings.Contains(got, fmt.Sprintf(`"id":%d,`, i)) && !strings.Contains(got, "404") {
					t.Errorf("%d: %s", i, got)
				}
			})
		}
		all.Go(func() { <-h.later(h.request("DELETE", "", named)) })
	}
	all.Wait()
}
