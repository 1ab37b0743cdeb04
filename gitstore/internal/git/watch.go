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

// bounded gives a call its deadline, and somebody who looks after it.
func (r *Runner) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	end := func() {}
	if _, ok := ctx.Deadline(); !ok {
		ctx, end = context.WithTimeout(ctx, Timeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := r.watch(ctx.Done(), cancel)
	return ctx, func() { stop(); cancel(nil); end() }
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
