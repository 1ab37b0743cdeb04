package watch

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/session"
)

// look reads what is new in the files that have changed.
func (w *watcher) look(now Moment) {
	w.hinted = Moment{}
	var read int64
	for name := range w.dirty {
		f := w.files[name]
		if f == nil || f.busy { // it is looked at when that is done
			continue
		}
		delete(w.dirty, name)
		read += w.lookAt(now, f)
	}
	if read > 4<<20 { // of lines of that size, buffers are left
		debug.FreeOSMemory()
	}
}

// lookAt reads what is new in a file and lets be done what follows.
func (w *watcher) lookAt(now Moment, f *file) (read int64) {
	st, err := w.root.Lstat(filepath.FromSlash(f.name))
	if err == nil {
		f.size, f.mod, f.is = st.Size(), st.ModTime(), st
	}
	n, err := f.news(w.root)
	if os.IsNotExist(err) {
		w.lost(f)
		return 0
	}
	if err != nil {
		w.note("%s: %v", f.name, err)
		return 0
	}
	if n.dir != "" {
		f.dir = n.dir
	}
	again := n.pos.Offset < f.pos.Offset || n.read == n.pos.Offset // from the beginning
	if n.read == 0 && !again {
		return 0
	}
	w.changed = true
	f.grew, f.active = now.Up, true
	if live, err := session.Live(w.place.Home); !f.live && err == nil {
		f.live = live[f.session()]
	}
	w.visit(now, f.dir)
	events := w.events(f, n)
	if len(events) == 0 {
		f.pos, f.from = n.pos, 0
		return n.read
	}
	f.busy = true
	o := hooks.Order{Session: f.session(), Transcript: w.path(f), Dir: f.dir, Compacted: events[len(events)-1].Summary}
	w.order(o, events, func(ok bool) { w.dealt(f, n, ok) })
	return n.read
}

// events are what has happened in a transcript.
func (w *watcher) events(f *file, n finding) (list []plugin.Event) {
	e := plugin.Event{Session: f.session(), Transcript: w.path(f), Dir: f.dir}
	if !f.begun && f.dir != "" {
		e.Kind = plugin.SessionStarted
		list = append(list, e)
	}
	if n.summary != "" && n.summary != f.summary && !w.copied(f, n.summary) {
		e.Kind, e.Summary = plugin.CompactionDetected, n.summary
		list = append(list, e)
	}
	return list
}

// copied reports whether a summary is another transcript's: a fork begins with a copy of
// what it comes from.
func (w *watcher) copied(f *file, summary string) bool {
	for _, o := range w.files {
		if o != f && o.summary == summary {
			return true
		}
	}
	return false
}

func (w *watcher) path(f *file) string { return filepath.Join(w.o.Folder, filepath.FromSlash(f.name)) }

// dealt goes on behind what was dealt with. What failed is tried again at the next turn,
// some times.
func (w *watcher) dealt(f *file, n finding, ok bool) {
	f.busy = false
	w.changed = true
	if !ok && f.failed+1 < mostTries {
		f.failed++
		f.size = -1 // so that the next turn finds it changed
		return
	}
	f.pos, f.from, f.failed, f.begun = n.pos, 0, 0, f.begun || f.dir != ""
	if n.summary != "" {
		f.summary = n.summary
	}
	w.dirty[f.name] = true // it may have grown meanwhile, or ended
	now := w.o.Clock()
	w.look(now)
	w.ended(now)
	w.save(now)
}

// turn does what is to be done now and then.
func (w *watcher) turn(now Moment) {
	from := w.turned
	w.turned = now
	if slept(from, now, w.every) {
		w.note("stood still, or the clock was set: looks at everything again")
		w.lookOut()
		w.walk(now, w.fresh)
	} else if now.Up-w.walked.Up >= w.walkFor {
		w.walk(now, w.fresh)
	} else if w.eye == nil {
		w.glance(now)
	}
	for name, f := range w.files {
		if f.size < 0 {
			w.dirty[name] = true
		}
	}
	w.look(now)
	w.ended(now)
	w.followStores()
	w.outlived()
	w.keep(now)
}

// keep notes what is known for the next daemon.
func (w *watcher) keep(now Moment) {
	if !w.changed || now.Up-w.kept.Up < keepTurn {
		return
	}
	w.save(now)
}

func (w *watcher) save(now Moment) {
	w.kept, w.changed = now, false
	if err := w.place.writeState(w.remember(now)); err != nil {
		w.note("note what is known: %v", err)
	}
}

// ended finds the sessions whose client is gone, and those that nobody has and that are
// silent.
func (w *watcher) ended(now Moment) {
	var live map[string]bool
	for _, f := range w.files {
		if !f.active || f.busy {
			continue
		}
		if live == nil {
			var err error
			if live, err = session.Live(w.place.Home); err != nil {
				w.note("%v", err)
				return
			}
		}
		switch silent := now.Up - f.grew; {
		case live[f.session()]:
			f.live = true
		case f.live:
			w.end(f, "its client is gone")
		case silent >= quiet:
			w.end(f, "nothing was written for "+strings.TrimSuffix(quiet.String(), "0s"))
		}
	}
}

func (w *watcher) end(f *file, why string) {
	f.active, f.live, f.busy = false, false, true
	o := hooks.Order{Session: f.session(), Transcript: w.path(f), Dir: f.dir}
	e := plugin.Event{Kind: plugin.SessionEnded, Session: f.session(), Transcript: w.path(f), Dir: f.dir, Reason: why}
	w.order(o, []plugin.Event{e}, func(ok bool) {
		f.busy = false
		w.changed = true
		if !ok && f.failed+1 < mostTries {
			f.failed++
			f.active, f.live = true, true // once more
			return
		}
		f.failed = 0
		w.dirty[f.name] = true
		w.look(w.o.Clock())
	})
}

// outlived ends the daemon when its program is gone, or was replaced: then by one of that.
func (w *watcher) outlived() {
	if w.o.Program.Path == "" {
		return
	}
	switch now := ThisProgram(w.o.Program.Path); {
	case now.is(w.o.Program):
		w.gone = 0
	case now.Path == "":
		if w.gone++; w.gone > 1 { // an upgrade may be on its way
			w.over = "its program is gone"
		}
	default:
		w.over = "its program was replaced"
		if err := w.o.Replace(); err != nil {
			w.note("start the new program: %v", err)
		}
	}
}

// due is how long until there is something to do.
func (w *watcher) due(now Moment) time.Duration {
	d := w.turned.Up + w.every - now.Up
	if w.hinted != (Moment{}) {
		d = min(d, w.hinted.Up+settle-now.Up)
	}
	if w.changed {
		d = min(d, w.kept.Up+keepTurn-now.Up)
	}
	return max(d, 0)
}
