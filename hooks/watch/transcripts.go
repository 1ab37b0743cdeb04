package watch

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
)

// A file is a transcript.
type file struct {
	fileState
	name    string      // <project>/<session>.jsonl
	st      fs.FileInfo // as it was when it was last looked at
	grew    time.Time   // when something was last read of it
	dirty   bool        // it is to be looked at
	begun   bool        // its session was told of
	busy    bool        // what it said is being dealt with
	failed  int         // how often that failed
	visited string      // folder whose repository was looked for
}

// A fileState is what the next daemon is told of a transcript.
type fileState struct {
	Position transcript.Position `json:"position,omitzero"` // up to where it was read
	From     int64               `json:"from,omitempty"`    // where reading begins if there is no position: what is before it is old
	Dir      string              `json:"dir,omitempty"`     // working directory of the session
	Summary  string              `json:"summary,omitempty"` // uuid of the last that was seen
	Active   bool                `json:"active,omitempty"`  // something was written since a daemon knows it, and it has not ended
	Live     bool                `json:"live,omitempty"`    // its client was seen to run
}

// A state is what a daemon remembers for the next one.
type state struct {
	Folder string               `json:"folder"`
	At     time.Time            `json:"at"` // when it was written: what changed since is new
	Files  map[string]fileState `json:"files"`
}

// keepFor is for how long a transcript that nobody writes to is remembered.
const keepFor = 7 * 24 * time.Hour

// restore takes over what the last daemon knew of the transcripts that are there. What it
// did not know is old, unless it changed since.
func (w *watcher) restore() {
	var s state
	known := w.place.read(w.place.stateFile(), &s) && s.Folder == w.o.Folder
	for name, f := range w.files {
		if was, ok := s.Files[name]; ok && known {
			f.fileState, f.begun = was, true
		} else if !known || f.st.ModTime().Before(s.At) {
			f.From, f.begun, f.dirty = f.st.Size(), true, false
		}
	}
}

// save notes what is known, for the next daemon. What is being dealt with is not dealt
// with yet.
func (w *watcher) save(now time.Time) {
	w.changed = false
	s := state{w.o.Folder, now.UTC(), map[string]fileState{}}
	for name, f := range w.files {
		if f.Active || now.Sub(f.st.ModTime()) < keepFor {
			s.Files[name] = f.fileState
		}
	}
	if err := write(w.place.stateFile(), s); err != nil {
		w.note("note what is known: %v", err)
	}
}

func (f *file) session() string { return strings.TrimSuffix(path.Base(f.name), ".jsonl") }

// openPlain opens a transcript in the folder: what leads out of it is not opened, and what is
// no plain file neither, also if somebody puts it there just now.
func openPlain(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return f, nil
}

// longest is the longest line that may be a summary, in bytes: some have 20 kB, and their
// author cannot write more than 64,000 tokens.
const longest = 1 << 20

// news reads what is new, so many bytes, and returns what is known then.
func (f *file) news(root *os.Root) (now fileState, read int64, err error) {
	now = f.fileState
	h, err := openPlain(root, f.name)
	if err != nil {
		return now, 0, err
	}
	at := f.Position
	if st, err := h.Stat(); err == nil && at.Offset == 0 && f.From > 0 && f.From <= st.Size() {
		at = transcript.Behind(h, f.From)
	}
	r := transcript.From(h, at)
	r.Limit(longest)
	defer r.Close()
	from := r.Position().Offset
	for {
		rec, err := r.Next()
		if err == io.EOF {
			now.Position, now.From = r.Position(), 0
			return now, now.Position.Offset - from, nil
		}
		if err != nil {
			return now, 0, err
		}
		if filepath.IsAbs(rec.Dir) {
			now.Dir = rec.Dir
		}
		if rec.Summary && !rec.Side && rec.UUID != "" {
			now.Summary = rec.UUID
		}
	}
}

// look reads what is new in the files that have changed. One that is busy is looked at
// when that is done.
func (w *watcher) look(now time.Time) {
	for _, f := range w.files {
		if f.dirty && !f.busy {
			f.dirty = false
			w.lookAt(now, f)
		}
	}
}

// lookAt reads what is new in a file and has done what follows.
func (w *watcher) lookAt(now time.Time, f *file) {
	if st, err := w.root.Lstat(filepath.FromSlash(f.name)); err == nil {
		f.st = st
	}
	next, read, err := f.news(w.root)
	if os.IsNotExist(err) {
		w.lost(f)
		return
	}
	if err != nil {
		w.note("%s: %v", f.name, err)
		return
	}
	anew := next.Position.Offset < f.Position.Offset || next.Position.Offset == read // it was read from its beginning
	if read == 0 && !anew {
		return
	}
	w.changed = true
	f.grew, f.Active, f.Dir = now, true, next.Dir
	if f.Dir != f.visited {
		f.visited = f.Dir
		w.visit(f.Dir)
	}
	done := func() {
		f.Position, f.From, f.Summary, f.begun = next.Position, 0, next.Summary, f.begun || f.Dir != ""
	}
	switch {
	case next.Summary != f.Summary && !w.copied(f, next.Summary): // it may be the first that is heard of the session, too
		w.note("session %s was compacted", f.session())
		w.deal(f, plugin.CompactionDetected, next.Summary, done)
	case !f.begun && f.Dir != "":
		w.deal(f, plugin.SessionStarted, "", done)
	default:
		done()
	}
}

// copied reports whether a summary is another transcript's: a fork begins with a copy of
// what it comes from.
func (w *watcher) copied(f *file, summary string) bool {
	for _, o := range w.files {
		if o != f && o.Summary == summary {
			return true
		}
	}
	return false
}

// deal has done what follows from what was seen in a transcript, and calls done behind it.
// What failed is tried again at the next turn, some times.
func (w *watcher) deal(f *file, seen plugin.Kind, summary string, done func()) {
	f.busy = true
	o := hooks.Order{
		Session: f.session(), Transcript: filepath.Join(w.o.Folder, filepath.FromSlash(f.name)), Dir: f.Dir, Compacted: summary,
	}
	w.order(o, seen, "", func(ok bool) {
		f.busy, w.changed = false, true
		if f.failed++; !ok && f.failed < mostTries {
			return
		}
		f.failed = 0
		done()
		f.dirty = true // it may have grown meanwhile, or ended
		now := w.o.Clock()
		w.follow(now)
		w.save(now)
	})
}

// ended finds the sessions whose client is gone, and those that nobody has and that are
// silent.
func (w *watcher) ended(now time.Time) {
	live, err := session.Live(w.place.Home)
	if err != nil {
		w.note("%v", err)
		return
	}
	for _, f := range w.files {
		f.Live = f.Live || f.Active && live[f.session()]
		if !f.Active || f.busy || live[f.session()] {
			continue
		}
		why := "its client is gone"
		if !f.Live {
			if now.Sub(f.grew) < quiet {
				continue
			}
			why = "nothing was written for " + strings.TrimSuffix(quiet.String(), "0s")
		}
		w.note("session %s ended: %s", f.session(), why)
		w.deal(f, plugin.SessionEnded, "", func() { f.Active, f.Live = false, false })
	}
}
