package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// take starts what a line asks for, and answers at once what is no request.
func (s *session) take(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	requests, answers := protocol.Read(line)
	for _, a := range answers {
		s.write(a)
	}
	for _, r := range requests {
		s.takeOne(ctx, r)
	}
}

// takeOne starts what a message asks for.
func (s *session) takeOne(ctx context.Context, r protocol.Request) {
	switch {
	case r.Method == "":
		s.answered(r)
	case r.ID == nil:
		s.notice(r)
	default:
		s.begin(ctx, r)
	}
}

func (s *session) tooLong() {
	s.write(protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, "%s", protocol.ErrTooLong)))
}

// notice takes a notification.
func (s *session) notice(r protocol.Request) {
	switch r.Method {
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
	if id, ok := protocol.ReadID(r.Params["requestId"]); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.cancels[string(id)]; cancel != nil {
			cancel()
		}
	}
}

// begin runs a request beside others. What changes the memory runs one after
// another, in the order in which it was asked for.
func (s *session) begin(stop context.Context, r protocol.Request) {
	select {
	case s.pending <- struct{}{}:
	case <-stop.Done():
		r.Ended()
		return
	}
	ctx, cancel := context.WithCancel(s.life)
	s.mu.Lock()
	_, twice := s.cancels[string(r.ID)]
	var wait <-chan struct{}
	var done chan struct{}
	if !twice {
		s.cancels[string(r.ID)] = cancel
		s.calls.Add(1)
		if writes(r) {
			done = make(chan struct{})
			wait, s.turn = s.turn, done
		}
	}
	s.mu.Unlock()
	if twice { // an answer with that id would be taken for the first one's
		cancel()
		<-s.pending
		defer r.Ended()
		s.write(protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, "id: %s is in use by another request", r.ID)))
		return
	}
	release := sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, string(r.ID))
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
			r.Ended()
		}()
		s.serve(ctx, r, wait, release)
	}()
}

// serve waits for its turn, answers, and keeps silent when it was cancelled. A
// change that has begun is not cut short: half of it would help nobody. Who has the
// answer may use the id again, so release frees it right before.
func (s *session) serve(ctx context.Context, r protocol.Request, turn <-chan struct{}, release func()) {
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
	if writes(r) {
		run = s.life
	}
	settle, written := func(bool) {}, false
	r.Settle = &settle
	defer func() { settle(written) }()
	result, e := s.guarded(run, r)
	if ctx.Err() != nil && s.life.Err() == nil && !writes(r) {
		return
	}
	if e != nil {
		s.writeAfter(release, protocol.Refuse(r.ID, e))
		return
	}
	written = s.writeAfter(release, protocol.Response{JSONRPC: proto.JSONRPC_VERSION, ID: r.ID, Result: result})
}

func (s *session) guarded(ctx context.Context, r protocol.Request) (result any, e *protocol.Error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("panic in %s: %v\n%s", r.Method, p, debug.Stack())
			result, e = nil, protocol.Errorf(proto.INTERNAL_ERROR, "internal error in %s: %v", r.Method, p)
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
		r, _ := message.(protocol.Response)
		b, _ = json.Marshal(protocol.Refuse(r.ID, protocol.Errorf(proto.INTERNAL_ERROR, "the answer cannot be written: %s", err)))
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
