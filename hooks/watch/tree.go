package watch

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/git-sage/git-sage/gitstore"
)

// lookOut asks the system to tell of changes, if it can.
func (w *watcher) lookOut() {
	if w.eye != nil {
		_ = w.eye.Close()
		w.eye = nil
	}
	clear(w.folders)
	why := w.deaf()
	if why == "" {
		eye, err := fsnotify.NewWatcher()
		if err == nil {
			w.eye = eye
			err = eye.Add(w.o.Folder)
		}
		if err == nil {
			w.mode, w.every = "fsnotify", turn
			w.attendBeside()
			return
		}
		why = err.Error()
	}
	w.poll(why)
}

// attendBeside is attend for what is not the client's: its processes, which leave a note
// when they end, and repositories.
func (w *watcher) attendBeside() {
	for _, dir := range []string{"clients", "servers"} {
		w.attend(filepath.Join(w.place.run(), dir))
	}
	for _, s := range w.stores {
		for _, dir := range s.places() {
			w.attend(dir)
		}
	}
}

// deaf says why the system would not tell of changes; "" if it would.
func (w *watcher) deaf() string {
	if w.o.Poll {
		return "as it is set"
	}
	if name, local := gitstore.FileSystem(w.o.Folder); !local {
		return name + " tells of no changes by others"
	}
	return ""
}

// poll goes over to looking for changes.
func (w *watcher) poll(why string) {
	if w.eye != nil {
		_ = w.eye.Close()
	}
	w.eye, w.every = nil, pollTurn
	w.mode = "polling: " + why
	w.note("looks for changes every %s: %s", pollTurn, why)
}

// attend asks the system to tell of changes in a folder, before what is in it is looked
// at: what comes between is told or seen.
func (w *watcher) attend(dir string) {
	if w.eye == nil {
		return
	}
	err := w.eye.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return
	}
	w.poll(err.Error()) // no more can be watched
}

// Shares of the time that may go into looking: a look at 900 folders takes 14 ms.
const (
	walkShare = 10_000
	pollShare = 5_000
)

// walk looks at everything: at most every minute, and so seldom that it costs a
// ten-thousandth of the time.
func (w *watcher) walk(now Moment, first func(name string, st os.FileInfo) *file) {
	began := time.Now()
	w.reopen()
	seen := map[string]bool{}
	for _, dir := range w.projects() {
		w.list(now, dir, first, seen)
	}
	for name, f := range w.files {
		if !seen[name] && !f.busy {
			w.lost(f)
		}
	}
	w.walked = now
	w.walkFor = min(max(time.Minute, walkShare*time.Since(began)), 30*time.Minute)
}

// reopen opens the folder again if it is another one by now.
func (w *watcher) reopen() {
	is, err := w.root.Stat(".")
	st, err2 := os.Stat(w.o.Folder)
	if err == nil && err2 == nil && os.SameFile(is, st) {
		return
	}
	if err := os.MkdirAll(w.o.Folder, 0o700); err != nil {
		w.note("%v", err)
		return
	}
	if root, err := os.OpenRoot(w.o.Folder); err == nil {
		_ = w.root.Close()
		w.root = root
		w.lookOut()
	}
}

// projects are the folders of the client's projects.
func (w *watcher) projects() (dirs []string) {
	list, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		w.note("%v", err)
	}
	for _, e := range list {
		switch {
		case e.IsDir():
			dirs = append(dirs, e.Name())
		case e.Type()&fs.ModeSymlink != 0:
			w.refuse(e.Name())
		}
	}
	return dirs
}

// refuse says once that a link is not followed.
func (w *watcher) refuse(name string) {
	if !w.refused[name] && len(w.refused) < 1000 {
		w.refused[name] = true
		w.note("%s is a link; it is not followed", name)
	}
}

// list looks at the transcripts of a project. first makes what is new.
func (w *watcher) list(now Moment, dir string, first func(string, os.FileInfo) *file, seen map[string]bool) {
	st, err := w.root.Lstat(dir)
	if err != nil || !st.IsDir() {
		delete(w.folders, dir)
		return
	}
	if _, known := w.folders[dir]; !known {
		w.attend(filepath.Join(w.o.Folder, dir))
	}
	w.folders[dir] = st.ModTime()
	list, err := fs.ReadDir(w.root.FS(), dir)
	if err != nil {
		w.note("%v", err)
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch {
		case !plain(e.Name()):
		case e.Type()&fs.ModeSymlink != 0:
			w.refuse(name)
		case e.Type().IsRegular():
			if seen != nil {
				seen[name] = true
			}
			w.meet(now, name, first)
		}
	}
}

// meet looks whether a transcript is new or has changed.
func (w *watcher) meet(now Moment, name string, first func(string, os.FileInfo) *file) {
	st, err := w.root.Lstat(filepath.FromSlash(name))
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	f := w.files[name]
	if f == nil {
		w.files[name] = first(name, st)
	} else if st.Size() != f.size || !st.ModTime().Equal(f.mod) || f.is != nil && !os.SameFile(f.is, st) {
		w.dirty[name] = true
	}
}

// fresh makes what is known of a transcript that was not there before.
func (w *watcher) fresh(name string, st os.FileInfo) *file {
	w.dirty[name] = true
	return &file{name: name, size: -1, mod: st.ModTime(), grew: w.o.Clock().Up}
}

// lost forgets a transcript that is gone. It may come back, as another one.
func (w *watcher) lost(f *file) {
	delete(w.files, f.name)
	delete(w.dirty, f.name)
	w.changed = true
}

// touched takes a hint of the system's.
func (w *watcher) touched(now Moment, name string) {
	rel, err := filepath.Rel(w.o.Folder, name)
	if err != nil || !filepath.IsLocal(rel) {
		w.touchedBeside(name)
		return
	}
	rel = filepath.ToSlash(rel)
	if rel == "." { // the folder is gone, or another one
		w.walk(now, w.fresh)
	}
	dir, base := path.Split(rel)
	dir = strings.TrimSuffix(dir, "/")
	switch {
	case rel == ".":
	case dir == "": // a project comes, goes, or is another one by now
		delete(w.folders, base)
		w.list(now, base, w.fresh, nil)
	case strings.Contains(dir, "/") || !plain(base):
		return
	default:
		w.meetOne(now, rel)
	}
	if w.hinted == (Moment{}) {
		w.hinted = now
	}
}

// meetOne is meet for a single file, which may be gone.
func (w *watcher) meetOne(now Moment, name string) {
	st, err := w.root.Lstat(filepath.FromSlash(name))
	if f := w.files[name]; err != nil && f != nil && !f.busy {
		w.lost(f)
		return
	}
	if err == nil && st.Mode()&fs.ModeSymlink != 0 {
		w.refuse(name)
		return
	}
	w.meet(now, name, w.fresh)
}

// glance looks for changes where nobody tells: at folders that changed, and at
// transcripts that are written to.
func (w *watcher) glance(now Moment) {
	began := time.Now()
	for _, dir := range w.projects() {
		st, err := w.root.Lstat(dir)
		if at, known := w.folders[dir]; err == nil && (!known || !at.Equal(st.ModTime())) {
			w.list(now, dir, w.fresh, nil)
		}
	}
	for name, f := range w.files {
		if f.active || now.Wall.Sub(f.mod) < 24*time.Hour {
			w.meetOne(now, name)
		}
	}
	w.every = min(max(pollTurn, pollShare*time.Since(began)), time.Minute)
}
