package git

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"
)

// patience is how long a call may take before somebody looks why. git answers
// in a few milliseconds what a hook waits for.
const patience = 100 * time.Millisecond

// Watch returns a Runner that asks why while a call of git takes long: is there
// something that it waits for and that never comes, such as a pipe in place of
// one of its files? An error ends the call, and is what the call returns. A call
// that takes less costs no more.
func (r *Runner) Watch(why func() error) *Runner {
	b := *r
	b.why = why
	return &b
}

// Together returns a Runner whose calls are ended by end, all that are at work
// then, also those whose answer nobody waits for any more: a process that ended
// without would leave behind a git that hangs. A call after that is refused.
func (r *Runner) Together(ctx context.Context) (group *Runner, end func()) {
	b := *r
	b.all = &calls{}
	b.all.ctx, b.all.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return &b, b.all.end
}

// calls are those that a group has at work.
type calls struct {
	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	work   int           // how many are neither over nor told to end
	none   chan struct{} // closed when there are none; nil while nobody waits
}

// farewell bounds the wait for calls that are told to end. They are told at once.
const farewell = time.Second

func (c *calls) end() {
	c.cancel()
	c.mu.Lock()
	none := make(chan struct{})
	if c.work == 0 {
		close(none)
	} else {
		c.none = none
	}
	c.mu.Unlock()
	select {
	case <-none:
	case <-time.After(farewell):
	}
}

func (c *calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.work++
}

func (c *calls) over() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.work--; c.work == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// toldKey is where a call's context holds what to do once git was told to end.
type toldKey struct{}

// bounded gives a call its deadline, and somebody who looks after it.
func (r *Runner) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end, over := r.limited(ctx)
	stop := r.watch(ctx.Done(), end)
	return ctx, func() { stop(); over() }
}

// limited gives a call its deadline. end ends it with a reason, over is for when it is over.
func (r *Runner) limited(ctx context.Context) (_ context.Context, end func(error), over func()) {
	late := func() {}
	if _, ok := ctx.Deadline(); !ok {
		ctx, late = context.WithTimeout(ctx, Timeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	leave := func() {}
	if r.all != nil {
		ctx, leave = r.all.join(ctx, cancel)
	}
	return ctx, cancel, func() { cancel(nil); late(); leave() }
}

func (c *calls) join(ctx context.Context, cancel context.CancelCauseFunc) (context.Context, func()) {
	c.begin()
	over := sync.OnceFunc(c.over)
	stop := context.AfterFunc(c.ctx, func() { cancel(context.Canceled) })
	return context.WithValue(ctx, toldKey{}, over), func() { stop(); over() }
}

// told is called when the git of a call was told to end.
func told(ctx context.Context) {
	if over, ok := ctx.Value(toldKey{}).(func()); ok {
		over()
	}
}

// watch calls end with the reason if there is one why a call will not come to
// its end, until done or stop.
func (r *Runner) watch(done <-chan struct{}, end func(error)) (stop func() bool) {
	if r.why == nil {
		return func() bool { return true }
	}
	return time.AfterFunc(patience, func() {
		for wait := 2 * patience; ; wait *= 2 {
			if err := r.why(); err != nil {
				end(err)
				return
			}
			select {
			case <-done:
				return
			case <-time.After(wait):
			}
		}
	}).Stop
}

// A guard ends the child of a Batch that does not answer.
type guard struct {
	mu   sync.Mutex
	err  error
	done chan struct{}
	stop func() bool
	last *time.Timer
}

func (r *Runner) guard(child *exec.Cmd) *guard {
	g := &guard{done: make(chan struct{})}
	end := func(err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.err == nil {
			g.err = err
			_ = child.Process.Kill()
		}
	}
	g.stop = r.watch(g.done, end)
	g.last = time.AfterFunc(Timeout, func() { end(os.ErrDeadlineExceeded) })
	return g
}

// over ends the guard and returns why it ended the child, if it did.
func (g *guard) over() error {
	g.stop()
	g.last.Stop()
	close(g.done)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil { // from here on nothing is ended
		g.err = os.ErrProcessDone
		return nil
	}
	return g.err
}
