package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"runtime/debug"
	"sync"
	"time"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// The time that calls under way get when the input has ended, and that what
// remains gets to give up: together under the 2 s after which a client kills.
const (
	finishWithin = 1500 * time.Millisecond
	giveUpWithin = 300 * time.Millisecond
)

const (
	maxPending = 256 // calls that wait or run; beyond it no input is read
	maxRunning = 8   // calls that run: each is a few processes of git
)

// A handler knows what messages mean.
type handler interface {
	Answer(ctx context.Context, r protocol.Request) (any, *protocol.Error)
	Notice(r protocol.Request)      // takes what asks for no answer
	Writes(r protocol.Request) bool // reports whether r changes the memory
}

// A conn is one client's connection: it has messages answered, several at once, and what
// changes the memory in order.
type conn struct {
	handler handler
	log     *log.Logger
	slack   int             // times as long as usual that calls get at the end; 0 is 1
	life    context.Context // of calls; ends after the input, when they had their time
	end     context.CancelFunc
	emit    func(message any, line []byte) error

	pending, running chan struct{}
	calls            sync.WaitGroup

	mu      sync.Mutex // guards what follows
	cancels map[string]context.CancelFunc
	turn    <-chan struct{} // closed when the last writing call so far is done

	out    chan struct{} // held by who writes a line
	broken chan error    // the output failed
}

// newConn begins a connection that lives until its end is called, whatever becomes of ctx.
// It sends messages by emit, one at a time, with the JSON of each.
func newConn(ctx context.Context, h handler, logs *log.Logger, slack int, emit func(message any, line []byte) error) *conn {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	return &conn{
		handler: h, life: life, end: end, emit: emit, log: logs, slack: slack,
		pending: make(chan struct{}, maxPending), running: make(chan struct{}, maxRunning),
		cancels: map[string]context.CancelFunc{}, out: make(chan struct{}, 1), broken: make(chan error, 1),
	}
}

// take starts what a line asks for, and answers at once what is no request.
func (s *conn) take(ctx context.Context, line []byte) {
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
func (s *conn) takeOne(ctx context.Context, r protocol.Request) {
	switch {
	case r.Method == "":
		s.handler.Notice(r)
	case r.ID == nil:
		s.notice(r)
	default:
		s.begin(ctx, r)
	}
}

func (s *conn) tooLong() {
	s.write(protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, "%s", protocol.ErrTooLong)))
}

// notice takes a notification.
func (s *conn) notice(r protocol.Request) {
	if r.Method != string(proto.MethodNotificationCancelled) {
		s.handler.Notice(r)
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
func (s *conn) begin(stop context.Context, r protocol.Request) {
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
		if s.handler.Writes(r) {
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
func (s *conn) serve(ctx context.Context, r protocol.Request, turn <-chan struct{}, release func()) {
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
	if s.handler.Writes(r) {
		run = s.life
	}
	settle, written := func(bool) {}, false
	r.Settle = &settle
	defer func() { settle(written) }()
	result, e := s.guarded(run, r)
	if ctx.Err() != nil && s.life.Err() == nil && !s.handler.Writes(r) {
		return
	}
	if e != nil {
		s.writeAfter(release, protocol.Refuse(r.ID, e))
		return
	}
	written = s.writeAfter(release, protocol.Response{JSONRPC: proto.JSONRPC_VERSION, ID: r.ID, Result: result})
}

func (s *conn) guarded(ctx context.Context, r protocol.Request) (result any, e *protocol.Error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("panic in %s: %v\n%s", r.Method, p, debug.Stack())
			result, e = nil, protocol.Errorf(proto.INTERNAL_ERROR, "internal error in %s: %v", r.Method, p)
		}
	}()
	return s.handler.Answer(ctx, r)
}

// writeItems sends a response or notification.
func (s *conn) write(message any) { s.writeAfter(func() {}, message) }

// writeAfter is write that does something first, when nobody else can write any
// more before it has. It reports whether the message was written as it is.
func (s *conn) writeAfter(first func(), message any) bool {
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

// listen reads lines and starts what they ask for.
func (s *conn) listen(ctx context.Context, in io.Reader) error {
	type input struct {
		line []byte
		err  error
	}
	lines := make(chan input)
	go func() {
		for r := protocol.NewLineReader(in); ; {
			line, err := r.Next()
			select {
			case lines <- input{line, err}:
			case <-s.life.Done():
				return
			}
			if err != nil && err != protocol.ErrTooLong {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-s.broken:
			return err
		case next := <-lines:
			switch next.err {
			case nil:
				s.take(ctx, next.line)
			case io.EOF:
				return nil
			case protocol.ErrTooLong:
				s.tooLong()
			default:
				return next.err
			}
		}
	}
}

// drain waits for calls under way, and gives up on those that take too long.
func (s *conn) drain() {
	done := make(chan struct{})
	go func() { s.calls.Wait(); close(done) }()
	for _, d := range []time.Duration{finishWithin, giveUpWithin} {
		t := time.NewTimer(d * time.Duration(max(1, s.slack)))
		select {
		case <-done:
			t.Stop()
			return
		case <-t.C:
			s.end()
		}
	}
}
