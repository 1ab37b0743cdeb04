package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/hooks/internal/logfile"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// softLimit is how much memory, in bytes, the daemon has before what is no longer needed
// is looked for more often.
const softLimit = 20 << 20

// Serve is the daemon. It says "ready" when it watches, or what keeps it from that, in a
// line, and returns when ctx ends or it is asked to stop. The process has to end with it:
// a lock belongs to it.
func (p Place) Serve(ctx context.Context, o Options, say func(line string)) (err error) {
	defer func() {
		if err != nil {
			say(err.Error())
		}
	}()
	if o.Log == nil {
		o.Log = func(format string, args ...any) {
			logfile.Append(p.Log(), time.Now(), "watcher", fmt.Sprintf(format, args...))
		}
	}
	signal.Ignore(syscall.SIGPIPE) // who started it may have ended before it hears that it watches
	debug.SetMemoryLimit(softLimit)
	debug.SetGCPercent(50)
	if err := p.prepare(); err != nil {
		return err
	}
	h, pid, err := p.holdWithin(ctx, max(o.Wait, 500*time.Millisecond))
	if err != nil {
		return err
	}
	if h == nil {
		say(fmt.Sprintf("running %d", pid))
		return nil
	}
	defer h.release()
	defer h.tidy()
	if h.tidy() {
		o.Log("the watcher before this one was killed")
	}
	return p.serve(ctx, o, say)
}

// holdWithin waits for who has the lock to end: also who clears away what was left has it
// for a moment.
func (p Place) holdWithin(ctx context.Context, within time.Duration) (h *held, pid int, err error) {
	for end := time.Now().Add(within); ; {
		if h, pid, err = p.hold(); err != nil || h != nil || time.Now().After(end) {
			return h, pid, err
		}
		if within <= time.Second && p.readRecord().runs(pid) {
			return h, pid, nil
		}
		if err := pause(ctx); err != nil {
			return nil, 0, err
		}
	}
}

func (p Place) serve(ctx context.Context, o Options, say func(string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := newWatcher(p, o)
	r := Record{PID: os.Getpid(), Run: runs.Name(os.Getpid()), Version: o.Version, Program: o.Program, Folder: o.Folder, Since: w.o.Clock().Wall.Truncate(time.Second)}
	b, err := json.Marshal(r)
	if err == nil {
		err = plainfile.Write(p.recordFile(), append(b, '\n'))
	}
	if err != nil {
		return err
	}
	l, err := p.listen()
	if err != nil { // it can be ended without
		o.Log("%v", err)
	} else {
		defer l.Close()
	}
	if err := w.begin(ctx); err != nil {
		return err
	}
	if l != nil {
		go answerAll(l, func(ask string) (Status, error) { return w.answer(ask, r) })
	}
	say(ready)
	w.run()
	w.finish(l)
	return nil
}

// run does what comes until it is over.
func (w *watcher) run() {
	w.timer = time.NewTimer(w.due(w.o.Clock()))
	defer w.timer.Stop()
	for w.over == "" {
		var events chan fsnotify.Event
		var errs chan error
		if w.eye != nil {
			events, errs = w.eye.Events, w.eye.Errors
		}
		select {
		case <-w.ctx.Done():
			w.over = "it was told to"
		case e := <-events:
			w.touched(w.o.Clock(), e.Name)
		case err := <-errs:
			w.missed(err)
		case f := <-w.inbox:
			f()
		case <-w.timer.C:
			w.timely(w.o.Clock())
		}
		w.timer.Reset(w.due(w.o.Clock()))
	}
}

// timely does what is due.
func (w *watcher) timely(now Moment) {
	if w.hinted != (Moment{}) && now.Up-w.hinted.Up >= settle {
		w.look(now)
	}
	if now.Up-w.turned.Up >= w.every {
		w.turn(now)
	}
	w.keep(now)
}

// missed looks at everything when hints were lost.
func (w *watcher) missed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.note("%v", err)
	}
	now := w.o.Clock()
	w.walk(now, w.fresh)
	w.look(now)
}

// finish ends it. What is being dealt with goes on by itself.
func (w *watcher) finish(l net.Listener) {
	for _, a := range w.plugins.Handle(context.Background(), plugin.Event{Kind: plugin.DaemonStopping, Reason: w.over}) {
		if a.Do == plugin.Log { // there is no time for more
			w.note("%s", a.Text)
		}
	}
	if w.eye != nil {
		_ = w.eye.Close()
	}
	w.save(w.o.Clock())
	_ = w.root.Close()
}

// answer answers who asks over the socket.
func (w *watcher) answer(ask string, r Record) (Status, error) {
	out := make(chan Status, 1)
	w.send(func() {
		switch ask {
		case askStop:
			w.over = "it was asked to"
		case askLook:
			w.walk(w.o.Clock(), w.fresh)
			w.look(w.o.Clock())
		}
		out <- w.status(r)
	})
	select {
	case st := <-out:
		return st, nil
	case <-w.ctx.Done():
		return Status{}, w.ctx.Err()
	case <-time.After(answerWithin):
		return Status{}, errSilent
	}
}

func (w *watcher) status(r Record) Status {
	st := Status{Record: r, Running: true, Mode: w.mode, Files: len(w.files), Stores: len(w.stores), Plugins: w.plugins.Names(), Last: w.last}
	for _, f := range w.files {
		if f.active {
			st.Sessions++
		}
	}
	return st
}
