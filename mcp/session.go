package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"

	proto "github.com/mark3labs/mcp-go/mcp"
)

// take starts what a line asks for, and answers at once what is no request.
func (s *session) take(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	requests, answers := read(line)
	for _, a := range answers {
		s.write(a)
	}
	for _, r := range requests {
		s.takeOne(ctx, r)
	}
}

// takeOne starts what a message asks for.
func (s *session) takeOne(ctx context.Context, r request) {
	switch {
	case r.method == "":
		s.answered(r)
	case r.id == nil:
		s.notice(r)
	default:
		s.begin(ctx, r)
	}
}

func (s *session) tooLong() { s.write(refuse(nil, failf(proto.INVALID_REQUEST, "%s", errTooLong))) }

// notice takes a notification.
func (s *session) notice(r request) {
	switch r.method {
	case methodInitialized:
		s.shaken(&s.ready)
		return
	case methodRootsChanged:
		s.askRoots()
		return
	case string(proto.MethodNotificationCancelled):
	default:
		return
	}
	if id, ok := readID(r.params["requestId"]); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.cancels[string(id)]; cancel != nil {
			cancel()
		}
	}
}

// begin runs a request beside others. What changes the memory runs one after
// another, in the order in which it was asked for.
func (s *session) begin(stop context.Context, r request) {
	select {
	case s.pending <- struct{}{}:
	case <-stop.Done():
		r.ended()
		return
	}
	ctx, cancel := context.WithCancel(s.life)
	s.mu.Lock()
	_, twice := s.cancels[string(r.id)]
	var wait <-chan struct{}
	var done chan struct{}
	if !twice {
		s.cancels[string(r.id)] = cancel
		s.calls.Add(1)
		if r.writes() {
			done = make(chan struct{})
			wait, s.turn = s.turn, done
		}
	}
	s.mu.Unlock()
	if twice { // an answer with that id would be taken for the first one's
		cancel()
		<-s.pending
		defer r.ended()
		s.write(refuse(nil, failf(proto.INVALID_REQUEST, "id: %s is in use by another request", r.id)))
		return
	}
	release := sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, string(r.id))
	})
	go func() {
		defer func() {
			release()
			cancel()
			if done != nil {
				close(done)
			}
			<-s.pending
			s.calls.Done()
			r.ended()
		}()
		s.serve(ctx, r, wait, release)
	}()
}

// serve waits for its turn, answers, and keeps silent when it was cancelled. A
// change that has begun is not cut short: half of it would help nobody. Who has the
// answer may use the id again, so release frees it right before.
func (s *session) serve(ctx context.Context, r request, turn <-chan struct{}, release func()) {
	if turn != nil {
		select {
		case <-turn:
		case <-s.life.Done():
		}
	}
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return
	}
	run := ctx
	if r.writes() {
		run = s.life
	}
	settle, written := func(bool) {}, false
	r.settle = &settle
	defer func() { settle(written) }()
	result, e := s.guarded(run, r)
	if ctx.Err() != nil && s.life.Err() == nil && !r.writes() {
		return
	}
	if e != nil {
		s.writeAfter(release, refuse(r.id, e))
		return
	}
	written = s.writeAfter(release, response{JSONRPC: proto.JSONRPC_VERSION, ID: r.id, Result: result})
}

func (s *session) guarded(ctx context.Context, r request) (result any, e *rpcError) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("panic in %s: %v\n%s", r.method, p, debug.Stack())
			result, e = nil, failf(proto.INTERNAL_ERROR, "internal error in %s: %v", r.method, p)
		}
	}()
	return s.dispatch(ctx, r)
}

// write sends a response or notification.
func (s *session) write(message any) { s.writeAfter(func() {}, message) }

// writeAfter is write that does something first, when nobody else can write any
// more before it has. It reports whether the message was written as it is.
func (s *session) writeAfter(first func(), message any) bool {
	b, err := json.Marshal(message)
	whole := err == nil
	if err != nil {
		s.log.Printf("write: %v", err)
		r, _ := message.(response)
		b, _ = json.Marshal(refuse(r.ID, failf(proto.INTERNAL_ERROR, "the answer cannot be written: %s", err)))
	}
	select {
	case s.out <- struct{}{}:
		defer func() { <-s.out }()
	case <-s.life.Done(): // nobody reads any more
		return false
	}
	first()
	if err := s.emit(message, b); err != nil {
		select {
		case s.broken <- err:
		default:
		}
		return false
	}
	return whole
}
