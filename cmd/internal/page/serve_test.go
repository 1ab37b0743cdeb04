package page

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/page/internal/api"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/cmd/internal/page/web"
	"github.com/git-sage/git-sage/gitstore/sage"
)

const (
	host  = "127.0.0.1:4242"
	token = "KNOCKKNOCK"
)

// request is one of the page's own; what is given changes it.
func request(method, path string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(method, "http://"+host+path, strings.NewReader("{}"))
	r.AddCookie(&http.Cookie{Name: "sage-4242", Value: token})
	if method != "GET" {
		r.Header.Set("Origin", "http://"+host)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(api.WriteHeader, "1")
	}
	if change != nil {
		change(r)
	}
	return r
}

// Who is let through: the page, by the server's own name, and programs that have the token.
func TestGate(t *testing.T) {
	a := pagetest.New(t)
	pagetest.Save(t, a, sage.Checkpoint{Thesis: "ARC beats LRU."})
	h := newHandler(host, Options{App: a, Token: token})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, tt := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{"the page", "GET", "/", nil, 200},
		{"a view", "GET", "/knowledge/system/a-note", nil, 200},
		{"its script", "GET", "/app.js", nil, 200},
		{"its JSON", "GET", "/api/status", nil, 200},
		{"its own origin", "GET", "/api/status", header("Origin", "http://"+host), 200},
		{"its own fetch", "GET", "/api/status", header("Sec-Fetch-Site", "same-origin"), 200},
		{"an address that was typed", "GET", "/review", header("Sec-Fetch-Site", "none"), 200},
		{"nobody", "GET", "/", func(r *http.Request) { r.Header.Del("Cookie") }, 403},
		{"nobody, for the script", "GET", "/app.js", func(r *http.Request) { r.Header.Del("Cookie") }, 403},
		{"another token", "GET", "/api/status", header("Cookie", "sage-4242=OTHER"), 403},
		{"the cookie of another port", "GET", "/api/status", header("Cookie", "sage-4243="+token), 403},
		{"a program", "GET", "/api/status", func(r *http.Request) { r.Header.Del("Cookie"); r.Header.Set("Authorization", "Bearer "+token) }, 200},
		{"a program with another token", "GET", "/api/status", header("Authorization", "Bearer OTHER"), 403},
		{"a name that leads here", "GET", "/", func(r *http.Request) { r.Host = "evil.example:4242" }, 421},
		{"localhost", "GET", "/", func(r *http.Request) { r.Host = "localhost:4242" }, 421},
		{"another port", "GET", "/", func(r *http.Request) { r.Host = "127.0.0.1:80" }, 421},
		{"the token under another name", "GET", "/?token=" + token, func(r *http.Request) { r.Host = "evil.example:4242" }, 421},
		{"another site", "GET", "/api/status", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another page of this machine", "GET", "/api/status", header("Sec-Fetch-Site", "same-site"), 403},
		{"its script", "GET", "/api/status", header("Origin", "http://127.0.0.1:8000"), 403},
		{"a write", "PUT", "/api/knowledge/one", nil, 200},
		{"a write of no origin", "PUT", "/api/knowledge/two", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"a write of another origin", "PUT", "/api/knowledge/two", header("Origin", "http://evil.example"), 403},
		{"a write of two origins", "PUT", "/api/knowledge/two", func(r *http.Request) { r.Header.Add("Origin", "http://"+host) }, 403},
		{"a write of a file", "PUT", "/api/knowledge/two", header("Origin", "null"), 403},
		{"a write without the header", "PUT", "/api/knowledge/two", func(r *http.Request) { r.Header.Del(api.WriteHeader) }, 403},
		{"a form", "POST", "/api/merge", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"a program's write", "PUT", "/api/knowledge/three", func(r *http.Request) {
			r.Header.Del("Cookie")
			r.Header.Del("Origin")
			r.Header.Set("Authorization", "Bearer "+token)
		}, 200},
		{"a program's write from a page", "PUT", "/api/knowledge/four", func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Origin", "http://evil.example")
		}, 403},
		{"another method", "DELETE", "/api/status", nil, 405},
		{"a method nobody has", "BREW", "/api/status", nil, 405},
		{"another method of a view", "POST", "/knowledge", nil, 405},
		{"an address nobody has", "GET", "/nosuch", nil, 404},
		{"a file beside", "GET", "/index.html", nil, 404},
		{"a file above", "GET", "/..%2f..%2fgo.mod", nil, 404},
		{"a file of the machine", "GET", "/%2e%2e/%2e%2e/etc/passwd", nil, 404},
		{"JSON that nobody has", "GET", "/api/nosuch", nil, 404},
	} {
		w := httptest.NewRecorder()
		r := request(tt.method, tt.path, tt.change)
		if strings.HasPrefix(tt.name, "a write") || strings.Contains(tt.name, "program's write") {
			r.Body = io.NopCloser(strings.NewReader(`{"base":"","content":"One is a number."}`))
		}
		h.ServeHTTP(w, r)
		if w.Code != tt.want && !(tt.want == 404 && w.Code/100 == 3) {
			t.Errorf("%s: %s %s is %d, want %d: %.200s", tt.name, tt.method, tt.path, w.Code, tt.want, w.Body)
		}
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
			if w.Header().Get(name) != want {
				t.Errorf("%s: %s is %q", tt.name, name, w.Header().Get(name))
			}
		}
		if c := w.Header().Get("Cache-Control"); strings.HasPrefix(tt.path, "/api/") && c != "no-store" {
			t.Errorf("%s is kept: %s", tt.path, c)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other pages may read it", tt.name)
		}
		var e api.Error
		if strings.HasPrefix(tt.path, "/api/") && w.Code >= 400 && (json.Unmarshal(w.Body.Bytes(), &e) != nil || e.Error.Message == "") {
			t.Errorf("%s: %s", tt.name, w.Body)
		}
	}
	for id, there := range map[string]bool{"one": true, "two": false, "three": true, "four": false} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, request("GET", "/api/knowledge/"+id, nil)); (w.Code == 200) != there {
			t.Errorf("item %s: %d", id, w.Code)
		}
	}
}

// The policy has no way for markup of texts, or for anything of elsewhere.
func TestPolicy(t *testing.T) {
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, hole := range []string{"unsafe", "*", "http:", "data:", "blob:"} {
		if strings.Contains(policy, hole) {
			t.Errorf("it has %s", hole)
		}
	}
	shell, err := web.Page.ReadFile("index.html")
	if err != nil || strings.Contains(string(shell), "<style") || strings.Count(string(shell), "<script") != 1 || strings.Contains(string(shell), "://") {
		t.Errorf("%v\n%s", err, shell)
	}
}

// The token of the address becomes a cookie, and the address loses it, and leads nowhere else.
func TestTokenBecomesACookie(t *testing.T) {
	h := newHandler(host, Options{App: pagetest.New(t), Token: token})
	for path, want := range map[string]string{
		"/?token=" + token:                      "/",
		"/recall?q=a+b&token=" + token:          "/recall?q=a+b",
		"//evil.example/?token=" + token:        "/evil.example",
		"/%5cevil.example?token=" + token:       "/%5Cevil.example",
		"/..%2f..//evil.example?token=" + token: "/evil.example",
		"/?token=OTHER":                         "",
		"/?token=":                              "",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://"+host+"/", nil)
		u, err := r.URL.Parse("http://" + host + path)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = u
		h.ServeHTTP(w, r)
		if want == "" {
			if w.Code != 403 || w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s: %d", path, w.Code)
			}
			continue
		}
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", path, w.Code, w.Header().Get("Location"), want)
		}
		c := w.Result().Cookies()
		if len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != "/" || c[0].Domain != "" || c[0].MaxAge != 0 {
			t.Errorf("%s: %+v", path, c)
		}
	}
}

// What a browser is started with admits one browser, and no other user; what it gets is the
// token, with which it stays.
func TestTicketHoldsOnce(t *testing.T) {
	h := newHandler(host, Options{App: pagetest.New(t), Token: token, Ticket: "ONCE"}).(*gate)
	own := false
	h.peer = func(string, string) (bool, bool) { return own, true }
	ask := func(given string) *http.Response {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://"+host+"/?token="+given, nil))
		return w.Result()
	}
	if r := ask("ONCE"); r.StatusCode != 403 || len(r.Cookies()) > 0 {
		t.Errorf("another user is admitted: %d", r.StatusCode)
	}
	own = true
	if r := ask("ONCE"); r.StatusCode != http.StatusSeeOther || len(r.Cookies()) != 1 || r.Cookies()[0].Value != token {
		t.Errorf("the browser is not admitted: %d %v", r.StatusCode, r.Cookies())
	}
	if r := ask("ONCE"); r.StatusCode != 403 || len(r.Cookies()) > 0 {
		t.Errorf("it holds twice: %d", r.StatusCode)
	}
	if r := ask(token); r.StatusCode != http.StatusSeeOther {
		t.Errorf("the address that was printed: %d", r.StatusCode)
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, request("GET", "/", func(r *http.Request) { r.Header.Set("Cookie", "sage-4242=ONCE") })); w.Code != 403 {
		t.Errorf("the ticket as a token: %d", w.Code)
	}
}

// Who looks for a page where none is gets one that leads back, with an icon; who asks for anything
// else gets a line.
func TestNowhere(t *testing.T) {
	h := newHandler(host, Options{App: pagetest.New(t), Token: token})
	get := func(path, accept string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request("GET", path, func(r *http.Request) { r.Header.Set("Accept", accept) }))
		return w
	}
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	page := get("/nosuch/at/all", browser)
	if page.Code != 404 || !strings.Contains(page.Body.String(), `src="/app.js"`) || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") {
		t.Errorf("%d %s", page.Code, page.Body)
	}
	if icon := get("/icon.svg", "image/*"); !strings.Contains(page.Body.String(), `rel="icon" href="/icon.svg"`) || icon.Code != 200 || icon.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%d %s", icon.Code, icon.Header())
	}
	for path, accept := range map[string]string{"/nosuch": "*/*", "/api/nosuch": browser} {
		if w := get(path, accept); w.Code != 404 || strings.Contains(w.Body.String(), "<html") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// What did not change is not sent again.
func TestFilesAreSentOnce(t *testing.T) {
	h := newHandler(host, Options{App: pagetest.New(t), Token: token})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request("GET", "/app.js", nil))
	if w.Code != 200 || !strings.Contains(w.Header().Get("Content-Type"), "javascript") || w.Body.Len() == 0 {
		t.Fatalf("%d %s", w.Code, w.Header())
	}
	again := httptest.NewRecorder()
	h.ServeHTTP(again, request("GET", "/app.js", func(r *http.Request) { r.Header.Set("If-None-Match", w.Header().Get("ETag")) }))
	if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("%d", again.Code)
	}
}

// A server ends when it is told to, and by itself when nobody asked for long; an answer
// under way counts as long as it takes.
func TestServeEnds(t *testing.T) {
	a := pagetest.New(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Options{App: a, Token: token, Ticket: "ONCE"}) }()
	for _, want := range []int{303, 403} {
		within := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		r, err := within.Get(Address(l, "ONCE"))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("a browser of ours: %d, want %d", r.StatusCode, want)
		}
	}
	r, err := http.Get(Address(l, token))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 403 { // a client without a jar does not bring the cookie to where it was sent
		t.Errorf("%d", r.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(Address(l, token)); err == nil {
		t.Error("it still answers")
	}
	synctest.Test(t, func(t *testing.T) {
		idle, asked := watch(time.Hour)
		over := make(chan struct{})
		h := asked(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
		go h.ServeHTTP(nil, nil)
		time.Sleep(2 * time.Hour)
		select {
		case <-idle:
			t.Error("it ended while it answered")
		default:
		}
		close(over)
		synctest.Wait()
		began := time.Now()
		if <-idle; time.Since(began) != time.Hour {
			t.Errorf("it ended after %s", time.Since(began))
		}
	})
	if !errors.Is(func() error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return Serve(t.Context(), l, Options{App: a, Token: token, Idle: time.Nanosecond})
	}(), ErrIdle) {
		t.Error("it did not end")
	}
}

// Another user's process is refused also with the cookie of ours, which a browser sends to every
// server of the host; where that is not sure, the token is enough.
func TestOtherUsersAreRefused(t *testing.T) {
	h := newHandler(host, Options{App: pagetest.New(t), Token: token})
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	for _, tt := range []struct {
		own, sure bool
		want      int
	}{{true, true, 200}, {false, true, 403}, {false, false, 200}} {
		ctx := tellPeers(func(string, string) (bool, bool) { return tt.own, tt.sure })(t.Context(), here)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, request("GET", "/app.js", nil).WithContext(ctx)); w.Code != tt.want {
			t.Errorf("%+v: %d", tt, w.Code)
		}
	}
}
