package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Log == nil {
		o.Log = func(format string, args ...any) {
			logfile.Append(p.Log(), time.Now(), "watcher", fmt.Sprintf(format, args...))
		}
	}
	signal.Ignore(syscall.SIGPIPE) // the process that started it may have ended before it hears that it watches
	debug.SetMemoryLimit(softLimit)
	debug.SetGCPercent(50)
	if err := p.prepare(); err != nil {
		return err
	}
	var f *os.File
	var pid int
	waitFor(ctx, max(o.Wait, 500*time.Millisecond), func() bool { // also a stop that clears away files has it for a moment
		f, pid, err = p.hold()
		return f != nil || err != nil || o.Wait == 0 && p.readRecord().runs(pid)
	})
	if err != nil {
		return err
	}
	if f == nil {
		say(fmt.Sprintf("running %d", pid))
		return nil
	}
	defer f.Close()
	defer p.tidy()
	if p.tidy() {
		o.Log("the watcher before this one was killed")
	}
	w := newWatcher(p, o)
	pid = os.Getpid()
	r := Record{PID: pid, Run: runs.Name(pid), Version: o.Version, Program: o.Program, Folder: o.Folder, Since: w.o.Clock().Wall.Truncate(time.Second)}
	if err := write(p.recordFile(), r); err != nil {
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
		go w.answerAll(l, r)
	}
	say(ready)
	w.run()
	return nil
}

// listen opens the socket, for the user alone: it lies in a folder that nobody else may
// enter, see prepare.
func (p Place) listen() (net.Listener, error) {
	l, err := net.Listen("unix", p.socketFile())
	if err != nil {
		return nil, fmt.Errorf("open the socket: %w", err)
	}
	if err := os.Chmod(p.socketFile(), 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// answerAll answers over the socket until the listener is closed.
func (w *watcher) answerAll(l net.Listener, r Record) {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // too many open files, say: it passes
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go w.answer(c, r)
	}
}

func (w *watcher) answer(c net.Conn, r Record) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(answerWithin))
	line, err := bufio.NewReader(io.LimitReader(c, 100)).ReadString('\n')
	if err != nil {
		return
	}
	out := make(chan Status, 1)
	w.send(func() {
		switch line[:len(line)-1] {
		case askStop:
			w.over = "it was asked to"
		case askLook:
			w.scan(w.o.Clock(), true)
			w.look(w.o.Clock())
		}
		out <- w.status(r)
	})
	select {
	case st := <-out:
		_ = json.NewEncoder(c).Encode(st)
	case <-w.ctx.Done():
	}
}

func (w *watcher) status(r Record) Status {
	st := Status{Record: r, Running: true, Mode: w.mode, Files: len(w.files), Stores: len(w.stores), Plugins: w.plugins.Names(), Last: w.last}
	for _, f := range w.files {
		if f.Active {
			st.Sessions++
		}
	}
	return st
}

// run does what comes until it is over. Orders that are being carried out go on by themselves.
func (w *watcher) run() {
	timer := time.NewTimer(w.due(w.o.Clock()))
	defer timer.Stop()
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
		case <-timer.C:
			w.timely(w.o.Clock())
		}
		timer.Reset(w.due(w.o.Clock()))
	}
	for _, a := range w.plugins.Handle(context.Background(), plugin.Event{Kind: plugin.DaemonStopping, Reason: w.over}) {
		if a.Do == plugin.Log { // there is no time for more
			w.note("%s", a.Text)
		}
	}
	w.shut()
	w.save(w.o.Clock())
	_ = w.root.Close()
}

// due is how long until there is something to do.
func (w *watcher) due(now Moment) time.Duration {
	d := w.turned.Up + w.every - now.Up
	if w.hinted != (Moment{}) {
		d = min(d, w.hinted.Up+settle-now.Up)
	}
	return max(d, 0)
}

// timely does what is due.
func (w *watcher) timely(now Moment) {
	if w.hinted != (Moment{}) && now.Up-w.hinted.Up >= settle {
		w.look(now)
	}
	if now.Up-w.turned.Up >= w.every {
		w.turn(now)
	}
}

// missed looks at everything when hints were lost.
func (w *watcher) missed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.note("%v", err)
	}
	now := w.o.Clock()
	w.scan(now, true)
	w.look(now)
}
