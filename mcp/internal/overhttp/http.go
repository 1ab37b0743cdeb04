// Package overhttp serves several clients over HTTP, each in a session of its own.
package overhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/conn"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
)

// Streamable HTTP, as of 2025-03-26 to 2025-11-25: a message a POST, answered with JSON.
// What is told unasked goes into the stream of a GET, if the client holds one open. The
// protocol of 2026-07-28, without sessions, is for standard input and output only.

// Path is where a server over HTTP is reached.
const Path = "/mcp"

const (
	SessionHeader = "Mcp-Session-Id"
	VersionHeader = "Mcp-Protocol-Version"
)

// The time that a client gets for its part. Calls get as long as they need.
const (
	headWithin  = 10 * time.Second
	bodyWithin  = time.Minute
	idleWithin  = 2 * time.Minute // connections
	writeWithin = 10 * time.Minute
	pingEvery   = 25 * time.Second // of streams, so that whoever is between keeps them open
)

// Serve answers requests that come in by l, of whoever has the token, until ctx is done;
// then calls under way get their time.
func Serve(ctx context.Context, l net.Listener, o client.Options, token string, hosts ...string) error {
	if o.Err == nil {
		o.Err = io.Discard
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	h := &httpSessions{o: o, life: life, all: map[string]*httpSession{}, now: time.Now}
	srv := &http.Server{
		Handler: &gate{next: h, token: tokenSum(token), hosts: hosts}, ErrorLog: log.New(o.Err, "http: ", log.LstdFlags),
		ReadHeaderTimeout: headWithin, ReadTimeout: bodyWithin, WriteTimeout: writeWithin, IdleTimeout: idleWithin, MaxHeaderBytes: 64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		h.close()
		return err
	case <-ctx.Done():
	}
	closed := make(chan struct{})
	go func() { h.close(); close(closed) }()
	soon, cancel := context.WithTimeout(life, conn.FinishWithin+conn.GiveUpWithin)
	defer cancel()
	if srv.Shutdown(soon) != nil {
		_ = srv.Close()
	}
	<-closed
	return nil
}

// httpSessions are the sessions of a server over HTTP.
type httpSessions struct {
	o    client.Options
	life context.Context
	now  func() time.Time

	mu     sync.Mutex // guards what follows
	all    map[string]*httpSession
	closed bool
}

func (h *httpSessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		h.get(w, r)
	case http.MethodDelete:
		h.delete(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		deny(w, http.StatusMethodNotAllowed, "method %s is not used here", texts.Shown(r.Method))
	}
}

// deny answers with an error of the protocol that belongs to no request.
func deny(w http.ResponseWriter, status int, format string, args ...any) {
	sendJSON(w, status, protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, format, args...)))
}

func sendJSON(w http.ResponseWriter, status int, message any) {
	b, err := json.Marshal(message)
	if err != nil { // what is sent here has texts and numbers only
		b = nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// post takes a message. The cases: (1) not JSON that can be read, or no message; (2) of
// a protocol without sessions; (3) initialize, which begins a session; (4) of no session,
// or one that is gone; (5) nothing to answer; (6) a request.
func (h *httpSessions) post(w http.ResponseWriter, r *http.Request) {
	req, ok := readPost(w, r)
	if !ok { // 1
		return
	}
	if v := req.Meta.ProtocolVersion(); proto.IsModernProtocol(v) { // 2
		u := proto.UnsupportedProtocolVersionError{Version: v, Supported: proto.LegacyProtocolVersions()}
		e := u.JSONRPCError().Error
		sendJSON(w, http.StatusBadRequest, protocol.Refuse(req.ID, &protocol.Error{Code: e.Code, Message: u.Error(), Data: e.Data}))
		return
	}
	var v *httpSession
	if req.Method == string(proto.MethodInitialize) && req.ID != nil { // 3
		if v = h.begin(); v == nil {
			w.Header().Set("Retry-After", "60")
			deny(w, http.StatusServiceUnavailable, "too many sessions")
			return
		}
		w.Header().Set(SessionHeader, v.id)
	} else if v = h.known(w, r); v == nil { // 4
		return
	}
	if req.Method == "" || req.ID == nil { // 5
		v.s.TakeOne(r.Context(), req)
		w.WriteHeader(http.StatusAccepted)
		return // TakeOne begins no call of these
	}
	v.answer(w, r, req) // 6
}

// readPost reads the message of a POST, or says what is wrong with it.
func readPost(w http.ResponseWriter, r *http.Request) (req protocol.Request, ok bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		deny(w, http.StatusUnsupportedMediaType, "Content-Type: must be application/json")
		return req, false
	}
	if !accepts(r, "application/json") {
		deny(w, http.StatusNotAcceptable, "Accept: must have application/json")
		return req, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, protocol.MaxLine))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		deny(w, http.StatusRequestEntityTooLarge, "%s", protocol.ErrTooLong)
		return req, false
	} else if err != nil {
		deny(w, http.StatusBadRequest, "the message is incomplete")
		return req, false
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // else it would end the call
	requests, answers := protocol.Read(body)
	if len(requests) == 0 {
		if len(answers) == 0 {
			answers = []protocol.Response{protocol.Refuse(nil, protocol.Errorf(proto.PARSE_ERROR, "not JSON: the body is empty"))}
		}
		sendJSON(w, http.StatusBadRequest, answers[0])
		return req, false
	}
	return requests[0], true
}

// accepts says whether a client takes a type; one that says nothing takes all.
func accepts(r *http.Request, kind string) bool {
	all := strings.Join(r.Header.Values("Accept"), ",")
	main, _, _ := strings.Cut(kind, "/")
	return all == "" || slices.ContainsFunc(strings.Split(all, ","), func(s string) bool {
		s, _, _ = strings.Cut(s, ";")
		s = strings.ToLower(strings.TrimSpace(s))
		return s == kind || s == "*/*" || s == main+"/*"
	})
}

// get holds a stream open for what is told unasked.
func (h *httpSessions) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "text/event-stream") {
		deny(w, http.StatusNotAcceptable, "Accept: must have text/event-stream")
		return
	}
	v := h.known(w, r)
	if v == nil {
		return
	}
	lines, gone := v.listen()
	defer v.unlisten(lines)
	c := http.NewResponseController(w)
	_, _ = c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	text := []byte(":\n\n")
	for {
		if _, err := w.Write(text); err != nil || c.Flush() != nil {
			return
		}
		select {
		case line := <-lines:
			text = slices.Concat([]byte("event: message\ndata: "), bytes.TrimSpace(line), []byte("\n\n"))
		case <-ping.C:
			text = []byte(":\n\n")
		case <-gone:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// delete ends a session.
func (h *httpSessions) delete(w http.ResponseWriter, r *http.Request) {
	v := h.known(w, r)
	if v == nil {
		return
	}
	h.forget(v)
	w.WriteHeader(http.StatusNoContent)
	v.end()
}
