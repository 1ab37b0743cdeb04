package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/internal/api"
	"github.com/git-sage/git-sage/cmd/internal/page/web"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// Options say what is served, and to whom.
type Options struct {
	App    *app.App      // the memory that is at hand there
	Token  string        // that the address ends with
	Ticket string        // that the address ends with which a browser is started with; "" is none
	Idle   time.Duration // ends the server when nobody asked for so long; 0 is never
}

// ErrIdle says that nobody asked for long.
var ErrIdle = errors.New("nobody asked for long")

// What a client gets for its part, and answers under way at the end.
const (
	headWithin   = 10 * time.Second
	bodyWithin   = time.Minute
	finishWithin = 5 * time.Second
)

// Address is what to open with a token or ticket.
func Address(l net.Listener, token string) string {
	return "http://" + l.Addr().String() + "/?token=" + token
}

// Serve answers who comes in by l with the token, until ctx is done, or with [ErrIdle].
func Serve(ctx context.Context, l net.Listener, o Options) error {
	idle, asked := watch(o.Idle)
	srv := &http.Server{
		Handler: asked(newHandler(l.Addr().String(), o)), ErrorLog: log.New(io.Discard, "", 0),
		ReadHeaderTimeout: headWithin, ReadTimeout: bodyWithin, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ConnContext: tellPeers(peerOf),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	var ended error
	select {
	case err := <-failed:
		return err
	case <-idle:
		ended = ErrIdle
	case <-ctx.Done():
	}
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	if srv.Shutdown(soon) != nil {
		_ = srv.Close()
	}
	return ended
}

// world is that of the answers: nobody reads what they would print, and what searches read
// stays open from one to the next.
func world(a *app.App) *app.App {
	there := *a
	there.Out, there.Err = io.Discard, io.Discard
	there.Indexes, there.Code, there.Found = &sidecar.Indexes{Long: true}, &codeindex.Kept{}, &app.Repositories{}
	return &there
}

// watch tells when nobody asked for so long. An answer under way counts until it ends.
func watch(limit time.Duration) (idle <-chan time.Time, asked func(http.Handler) http.Handler) {
	if limit == 0 {
		return nil, func(next http.Handler) http.Handler { return next }
	}
	t := time.NewTimer(limit)
	var busy atomic.Int32
	return t.C, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy.Add(1)
			t.Stop()
			defer func() {
				if busy.Add(-1) == 0 {
					t.Reset(limit)
				}
			}()
			next.ServeHTTP(w, r)
		})
	}
}

// newHandler serves the page and its JSON under the name host.
func newHandler(host string, o Options) http.Handler {
	mux := http.NewServeMux()
	api.New(world(o.App)).Register(mux)
	for _, view := range views {
		mux.Handle("GET "+view, file("index.html"))
	}
	_ = fs.WalkDir(web.Page, ".", func(name string, d fs.DirEntry, err error) error { // of what is compiled in
		if base := path.Base(name); err == nil && !d.IsDir() && base != "index.html" {
			mux.Handle("GET /"+base, file(base))
		}
		return err
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if allowed := methods(mux, r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			refuse(w, r, http.StatusMethodNotAllowed, "method "+r.Method+" is not used here")
			return
		}
		nowhere(w, r)
	})
	return &gate{next: mux, host: host, token: o.Token, ticket: o.Ticket, peer: peerOf}
}

// nowhere answers at an address that nothing is at: with the page, which says so, to who looks for one.
func nowhere(w http.ResponseWriter, r *http.Request) {
	data, err := web.Page.ReadFile("index.html")
	if err != nil || strings.HasPrefix(r.URL.Path, "/api/") || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		refuse(w, r, http.StatusNotFound, "there is nothing at this address")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(data)
}

// methods are those with which an address is asked for.
func methods(mux *http.ServeMux, r *http.Request) (out []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		as := r.Clone(r.Context())
		as.Method = method
		if _, pattern := mux.Handler(as); pattern != "/" {
			out = append(out, method)
		}
	}
	return out
}

// views are the addresses of the page: its script shows what they name.
var views = []string{
	"/{$}", "/checkpoints/{id}", "/compare", "/compare/{a}", "/compare/{a}/{b}", "/merge", "/knowledge", "/knowledge/{id...}",
	"/recall", "/review", "/search", "/activity", "/usage",
}

// file serves one file of the page, which is sent once for each version.
func file(name string) http.Handler {
	data, err := web.Page.ReadFile(name)
	sum := sha256.Sum256(data)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err != nil {
			refuse(w, r, http.StatusNotFound, "there is no such file")
			return
		}
		w.Header().Set("ETag", etag)
		w.Header().Set("Cache-Control", "no-cache") // a browser may keep these files, but no text of the memory
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}
