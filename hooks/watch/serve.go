package watch

import (
	"context"
	"errors"
	"os"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/git-sage/git-sage/gitstore/runs"
)

// Serve is the daemon, unless another one runs. It returns when ctx ends, or when its program
// is gone or was replaced: then one of the new program is to be started. The process has to
// end with it: a lock belongs to it.
func (p Place) Serve(ctx context.Context, o Options) (replaced bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	debug.SetMemoryLimit(20 << 20) // bytes, before what is no longer needed is looked for more often
	debug.SetGCPercent(50)
	if err := p.prepare(); err != nil {
		return false, err
	}
	w := newWatcher(p, o)
	var f *os.File
	waitFor(ctx, nameWithin, func() bool {
		if f, err = p.hold(); f != nil || err != nil {
			return true
		}
		st, _ := p.look()
		return st.Running
	})
	if f == nil {
		return false, err
	}
	defer f.Close()
	defer p.tidy()
	if p.tidy() {
		w.note("the watcher before this one was killed")
	}
	pid := os.Getpid()
	w.self = Status{
		PID: pid, Run: runs.Name(pid), Version: o.Version, Program: o.Program, Folder: o.Folder,
		Since: w.o.Clock().UTC().Truncate(time.Second), Running: true,
	}
	if err = write(p.recordFile(), w.self); err == nil {
		err = w.begin(ctx)
	}
	if err != nil {
		return false, err
	}
	w.publish()
	w.run()
	return w.over == wasReplaced, nil
}

// publish writes how the daemon is for others to read, if that has changed.
func (w *watcher) publish() {
	st := w.self
	st.Mode, st.Files, st.Stores, st.Plugins, st.Sessions = w.mode, len(w.files), len(w.stores), w.plugins.Names(), 0
	for _, f := range w.files {
		if f.Active {
			st.Sessions++
		}
	}
	if reflect.DeepEqual(st, w.self) {
		return
	}
	w.self = st
	var err error
	waitFor(w.ctx, nameWithin, func() bool { // Windows replaces no file while somebody reads it
		err = write(w.place.recordFile(), st)
		return err == nil
	})
	if err != nil {
		w.note("note how it is: %v", err)
	}
}

// run does what comes until it is over. Orders that are being carried out go on by themselves.
func (w *watcher) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for w.over == "" {
		timer.Reset(w.next.Sub(w.o.Clock()))
		var events chan fsnotify.Event
		var errs chan error
		if w.eye != nil {
			events, errs = w.eye.Events, w.eye.Errors
		}
		select {
		case <-w.ctx.Done():
			w.over = "it was asked to"
		case e := <-events:
			w.touched(w.o.Clock(), e.Name)
		case err := <-errs: // hints were lost
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.note("%v", err)
			}
			w.turn(w.o.Clock())
		case f := <-w.inbox:
			f()
		case <-timer.C:
			w.timely(w.o.Clock())
		}
		w.publish()
	}
	w.note("stopping: %s", w.over)
	w.shut()
	w.save(w.o.Clock())
	_ = w.root.Close()
}

// timely does what is due.
func (w *watcher) timely(now time.Time) {
	if now.Sub(w.turned) >= w.every {
		w.turn(now)
	} else {
		w.follow(now)
	}
	w.next = w.turned.Add(w.every)
}
