package overhttp

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
	"time"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/conn"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/server"
	"github.com/git-sage/git-sage/mcp/internal/texts"
)

const (
	MaxVisits  = 64             // sessions at a time; a new one then takes the place of the longest unused
	forgetIdle = 24 * time.Hour // sessions that nobody used for so long
)

// A httpSession is a session of a client over HTTP.
type httpSession struct {
	id   string
	s    *conn.Conn
	used time.Time // guarded by httpSessions
	busy int       // requests and streams under way; guarded by httpSessions

	last    sync.RWMutex // held by who begins a call, and by the end behind which none begins
	mu      sync.Mutex   // guards what follows
	waiting map[string]chan []byte
	stream  chan []byte   // of the GET, nil if there is none
	left    chan struct{} // closed when that stream is another's, or the session ends
	ended   bool
}

// begin begins a session; nil if there is no place for one.
func (h *httpSessions) begin() *httpSession {
	v := &httpSession{id: rand.Text() + rand.Text(), waiting: map[string]chan []byte{}, left: make(chan struct{})}
	o := h.o
	o.Session, o.Client, o.Roots = server.MadeUpSession(), nil, nil
	v.s = server.New(h.life, o, v.emit)
	var out []*httpSession
	h.mu.Lock()
	for _, old := range h.all {
		if h.now().Sub(old.used) > forgetIdle && old.busy == 0 {
			out = append(out, old)
		}
	}
	if len(h.all)-len(out) >= MaxVisits {
		oldest := h.oldest()
		if oldest == nil {
			h.mu.Unlock()
			return nil
		}
		out = append(out, oldest)
	}
	for _, old := range out {
		delete(h.all, old.id)
	}
	closed := h.closed
	if !closed {
		v.used = h.now()
		h.all[v.id] = v
	}
	h.mu.Unlock()
	for _, old := range out {
		old.end()
	}
	if closed {
		return nil
	}
	return v
}

// oldest is the session that nobody used for longest, of those that nobody uses now.
func (h *httpSessions) oldest() (oldest *httpSession) {
	for _, v := range h.all {
		if v.busy == 0 && (oldest == nil || v.used.Before(oldest.used)) {
			oldest = v
		}
	}
	return oldest
}

// known is the session that a request names, and takes note of its use until the request
// is over. nil is none: then that was answered.
func (h *httpSessions) known(w http.ResponseWriter, r *http.Request) *httpSession {
	id := r.Header.Get(SessionHeader)
	if id == "" {
		deny(w, http.StatusBadRequest, "%s: is missing; initialize starts a session", SessionHeader)
		return nil
	}
	if version := r.Header.Get(VersionHeader); version != "" && !slices.Contains(proto.LegacyProtocolVersions(), version) {
		deny(w, http.StatusBadRequest, "%s: %s is not known here", VersionHeader, texts.Shown(version))
		return nil
	}
	h.mu.Lock()
	v := h.all[id]
	if v != nil {
		v.used = h.now()
		v.busy++
	}
	h.mu.Unlock()
	if v == nil {
		deny(w, http.StatusNotFound, "the session is gone; initialize starts another")
		return nil
	}
	context.AfterFunc(r.Context(), func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		v.used = h.now()
		v.busy--
	})
	return v
}

// forget takes a session off the list.
func (h *httpSessions) forget(v *httpSession) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, v.id)
}

// close ends all sessions. Calls under way get their time.
func (h *httpSessions) close() {
	h.mu.Lock()
	h.closed = true
	var all []*httpSession
	for _, v := range h.all {
		all = append(all, v)
	}
	h.mu.Unlock()
	var ends sync.WaitGroup
	for _, v := range all {
		ends.Go(v.end)
	}
	ends.Wait()
}

// end ends a session: its stream at once, its calls when they had their time.
func (v *httpSession) end() {
	v.last.Lock()
	v.mu.Lock()
	if !v.ended {
		v.ended = true
		close(v.left)
	}
	v.mu.Unlock()
	v.last.Unlock()
	v.s.Drain()
	v.s.End()
}

// answer waits for what a request is answered with. A client that goes away has cancelled
// nothing: what it asked for is done, and nobody told.
func (v *httpSession) answer(w http.ResponseWriter, r *http.Request, req protocol.Request) {
	got, over, id := make(chan []byte, 1), make(chan struct{}), string(req.ID)
	req.Over = func() {
		v.mu.Lock()
		if v.waiting[id] == got {
			delete(v.waiting, id)
		}
		v.mu.Unlock()
		close(over)
	}
	if !v.start(w, r, req, got) {
		return
	}
	select {
	case line := <-got:
		sendLine(w, line)
	case <-r.Context().Done():
	case <-over:
		select {
		case line := <-got:
			sendLine(w, line)
		default: // cancelled
			sendJSON(w, http.StatusOK, protocol.Refuse(req.ID, protocol.Errorf(cancelled, "the request was cancelled")))
		}
	}
}

// start begins a call whose answer goes into got, or says why not.
func (v *httpSession) start(w http.ResponseWriter, r *http.Request, req protocol.Request, got chan []byte) bool {
	v.last.RLock()
	defer v.last.RUnlock()
	v.mu.Lock()
	_, twice := v.waiting[string(req.ID)]
	ended := v.ended
	if !twice && !ended {
		v.waiting[string(req.ID)] = got
	}
	v.mu.Unlock()
	switch {
	case ended:
		deny(w, http.StatusNotFound, "the session has ended")
	case twice:
		deny(w, http.StatusBadRequest, "id: %s is in use by another request", texts.Shown(string(req.ID)))
	default:
		v.s.Begin(r.Context(), req)
	}
	return !ended && !twice
}

// cancelled is the code of what nobody waits for any more, as in LSP.
const cancelled = -32800

func sendLine(w http.ResponseWriter, line []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(line)
}

// emit sends a message of the session to who waits for it. What is told unasked, and finds
// no stream or a full one, is lost: it says only that something may be asked for again.
func (v *httpSession) emit(message any, line []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r, ok := message.(protocol.Response); ok {
		if got := v.waiting[string(r.ID)]; got != nil {
			delete(v.waiting, string(r.ID))
			got <- line // there is room for one
		}
		return nil
	}
	select {
	case v.stream <- line:
	default:
	}
	return nil
}

// listen makes a stream the session's; the one before ends.
func (v *httpSession) listen() (lines chan []byte, left chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stream != nil && !v.ended {
		close(v.left)
		v.left = make(chan struct{})
	}
	v.stream = make(chan []byte, 16)
	return v.stream, v.left
}

func (v *httpSession) unlisten(lines chan []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stream == lines {
		v.stream = nil
	}
}
