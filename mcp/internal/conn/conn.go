// Package conn has messages of one client answered: several at once, what changes the memory in
// order, and each by a deadline when the input has ended.
package conn

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
	FinishWithin = 1500 * time.Millisecond
	GiveUpWithin = 300 * time.Millisecond
)

const (
	MaxPending = 256 // calls that wait or run; beyond it no input is read
	maxRunning = 8   // calls that run: each is a few processes of git
)

// A handler knows what messages mean.
type handler interface {
	Answer(ctx context.Context, r protocol.Request) (any, *protocol.Error)
	Notice(r protocol.Request)      // takes what asks for no answer
	Writes(r protocol.Request) bool // reports whether r changes the memory
}

// A Conn is one client's connection: it has messages answered, several at once, and what
// changes the memory in order.
type Conn struct {
	handler handler
	log     *log.Logger
	slack   int             // times as long as usual that calls get at the end; 0 is 1
	life    context.Context // of calls; ends after the input, when they had their time
	End     context.CancelFunc
	emit    func(message any, line []byte) error

	pending, running chan struct{}
	calls            sync.WaitGroup

	mu      sync.Mutex // guards what follows
	cancels map[string]context.CancelFunc
	turn    <-chan struct{} // closed when the last writing call so far is done

	out    chan struct{} // held by who writes a line
	broken chan error    // the output failed
}

// New begins a connection that lives until its end is called, whatever becomes of ctx.
// It sends messages by emit, one at a time, with the JSON of each.
func New(ctx context.Context, h handler, logs *log.Logger, slack int, emit func(message any, line []byte) error) *Conn {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	return &Conn{
		handler: h, life: life, End: end, emit: emit, log: logs, slack: slack,
		pending: make(chan struct{}, MaxPending), running: make(chan struct{}, maxRunning),
		cancels: map[string]context.CancelFunc{}, out: make(chan struct{}, 1), broken: make(chan error, 1),
	}
}

// take starts what a line asks for, and answers at once what is no request.
func (c *Conn) take(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	requests, answers := protocol.Read(line)
	for _, a := range answers {
		c.Write(a)
	}
	for _, r := range requests {
		c.TakeOne(ctx, r)
	}
}

// TakeOne starts what a message asks for.
func (c *Conn) TakeOne(ctx context.Context, r protocol.Request) {
	switch {
	case r.Method == "":
		c.handler.Notice(r)
	case r.ID == nil:
		c.notice(r)
	default:
		c.Begin(ctx, r)
	}
}

func (c *Conn) tooLong() {
	c.Write(protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, "%s", protocol.ErrTooLong)))
}

// notice takes a notification.
func (c *Conn) notice(r protocol.Request) {
	if r.Method != string(proto.MethodNotificationCancelled) {
		c.handler.Notice(r)
		return
	}
	if id, ok := protocol.ReadID(r.Params["requestId"]); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if cancel := c.cancels[string(id)]; cancel != nil {
			cancel()
		}
	}
}

// Begin runs a request beside others. What changes the memory runs one after
// another, in the order in which it was asked for.
func (c *Conn) Begin(stop context.Context, r protocol.Request) {
	select {
	case c.pending <- struct{}{}:
	case <-stop.Done():
		r.Ended()
		return
	}
	ctx, cancel := context.WithCancel(c.life)
	c.mu.Lock()
	_, twice := c.cancels[string(r.ID)]
	var wait <-chan struct{}
	var done chan struct{}
	if !twice {
		c.cancels[string(r.ID)] = cancel
		c.calls.Add(1)
		if c.handler.Writes(r) {
			done = make(chan struct{})
			wait, c.turn = c.turn, done
		}
	}
	c.mu.Unlock()
	if twice { // an answer with that id would be taken for the first one's
		cancel()
		<-c.pending
		defer r.Ended()
		c.Write(protocol.Refuse(nil, protocol.Errorf(proto.INVALID_REQUEST, "id: %s is in use by another request", r.ID)))
		return
	}
	release := sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.cancels, string(r.ID))
	})
	go func() {
		defer func() {
			release()
			cancel()
			if done != nil {
				close(done)
			}
			<-c.pending
			c.calls.Done()
			r.Ended()
		}()
		c.serve(ctx, r, wait, release)
	}()
}

// serve waits for its turn, answers, and keeps silent when it was cancelled. A
// change that has begun is not cut short: half of it would help nobody. Who has the
// answer may use the id again, so release frees it right before.
func (c *Conn) serve(ctx context.Context, r protocol.Request, turn <-chan struct{}, release func()) {
	if turn != nil {
		select {
		case <-turn:
		case <-c.life.Done():
		}
	}
	select {
	case c.running <- struct{}{}:
		defer func() { <-c.running }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return
	}
	run := ctx
	if c.handler.Writes(r) {
		run = c.life
	}
	settle, written := func(bool) {}, false
	r.Settle = &settle
	defer func() { settle(written) }()
	result, e := c.guarded(run, r)
	if ctx.Err() != nil && c.life.Err() == nil && !c.handler.Writes(r) {
		return
	}
	if e != nil {
		c.writeAfter(release, protocol.Refuse(r.ID, e))
		return
	}
	written = c.writeAfter(release, protocol.Response{JSONRPC: proto.JSONRPC_VERSION, ID: r.ID, Result: result})
}

func (c *Conn) guarded(ctx context.Context, r protocol.Request) (result any, e *protocol.Error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Printf("panic in %s: %v\n%s", r.Method, p, debug.Stack())
			result, e = nil, protocol.Errorf(proto.INTERNAL_ERROR, "internal error in %s: %v", r.Method, p)
		}
	}()
	return c.handler.Answer(ctx, r)
}

// writeItems sends a response or notification.
func (c *Conn) Write(message any) { c.writeAfter(func() {}, message) }

// writeAfter is write that does something first, when nobody else can write any
// more before it has. It reports whether the message was written as it is.
func (c *Conn) writeAfter(first func(), message any) bool {
	b, err := json.Marshal(message)
	whole := err == nil
	if err != nil {
		c.log.Printf("write: %v", err)
		r, _ := message.(protocol.Response)
		b, _ = json.Marshal(protocol.Refuse(r.ID, protocol.Errorf(proto.INTERNAL_ERROR, "the answer cannot be written: %s", err)))
	}
	select {
	case c.out <- struct{}{}:
		defer func() { <-c.out }()
	case <-c.life.Done(): // nobody reads any more
		return false
	}
	first()
	if err := c.emit(message, b); err != nil {
		select {
		case c.broken <- err:
		default:
		}
		return false
	}
	return whole
}

// Listen reads lines and starts what they ask for.
func (c *Conn) Listen(ctx context.Context, in io.Reader) error {
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
			case <-c.life.Done():
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
		case err := <-c.broken:
			return err
		case next := <-lines:
			switch next.err {
			case nil:
				c.take(ctx, next.line)
			case io.EOF:
				return nil
			case protocol.ErrTooLong:
				c.tooLong()
			default:
				return next.err
			}
		}
	}
}

// Drain waits for calls under way, and gives up on those that take too long.
func (c *Conn) Drain() {
	done := make(chan struct{})
	go func() { c.calls.Wait(); close(done) }()
	for _, d := range []time.Duration{FinishWithin, GiveUpWithin} {
		t := time.NewTimer(d * time.Duration(max(1, c.slack)))
		select {
		case <-done:
			t.Stop()
			return
		case <-t.C:
			c.End()
		}
	}
}
