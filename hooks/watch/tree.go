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
	w.shut()
	clear(w.folders)
	eye, err := openEye(w.o)
	if err != nil {
		w.poll(err)
		return
	}
	w.eye, w.mode, w.every = eye, "fsnotify", turn
	w.attend(w.clientFolders()...)
	for _, s := range w.stores {
		w.attend(s.places()...)
	}
}

func openEye(o Options) (*fsnotify.Watcher, error) {
	if o.Poll {
		return nil, errors.New("as it is set")
	}
	if name, local := gitstore.FileSystem(o.Folder); !local {
		return nil, errors.New(name + " tells of no changes by others")
	}
	eye, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := eye.Add(o.Folder); err != nil {
		_ = eye.Close()
		return nil, err
	}
	return eye, nil
}

func (w *watcher) shut() {
	if w.eye != nil {
		_ = w.eye.Close()
		w.eye = nil
	}
}

// poll goes over to looking for changes.
func (w *watcher) poll(why error) {
	w.shut()
	w.every, w.mode = pollTurn, "polling: "+why.Error()
	w.note("looks for changes every %s: %v", pollTurn, why)
}

// attend asks the system to tell of changes in folders, before what is in them is looked
// at: what comes between is told or seen.
func (w *watcher) attend(dirs ...string) {
	for _, dir := range dirs {
		if w.eye == nil {
			return
		}
		if err := w.eye.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			w.poll(err) // no more can be watched
		}
	}
}

// Shares of the time that may go into looking: a look at 900 folders takes 14 ms.
const (
	walkShare = 10_000
	pollShare = 5_000
)

// scan looks for transcripts that are new or have changed: in the projects whose folder
// changed and among those that are written to, or everywhere. The next look at everything
// comes after a minute or more, so that it costs a ten-thousandth of the time.
func (w *watcher) scan(now Moment, all bool) {
	began := time.Now()
	if all {
		w.reopen()
	}
	list, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		w.note("%v", err)
	}
	for _, e := range list {
		st, err := w.root.Lstat(e.Name())
		at, known := w.folders[e.Name()]
		switch {
		case err != nil:
		case st.Mode()&fs.ModeSymlink != 0:
			w.refuse(e.Name())
		case st.IsDir() && (all || !known || !at.Equal(st.ModTime())):
			w.list(e.Name())
		}
	}
	for name, f := range w.files {
		if all || f.Active || now.Wall.Sub(f.mod) < 24*time.Hour {
			w.check(name)
		}
	}
	took := time.Since(began)
	if all {
		w.walked, w.walkFor = now, min(max(time.Minute, walkShare*took), 30*time.Minute)
	} else {
		w.every = min(max(pollTurn, pollShare*took), time.Minute)
	}
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

// refuse says once that a link is not followed.
func (w *watcher) refuse(name string) {
	if !w.refused[name] && len(w.refused) < 1000 {
		w.refused[name] = true
		w.note("%s is a link; it is not followed", name)
	}
}

// list looks at the transcripts of a project.
func (w *watcher) list(dir string) {
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
		if plain(e.Name()) {
			w.check(path.Join(dir, e.Name()))
		}
	}
}

// plain reports whether a name in a project's folder is that of a transcript.
func plain(name string) bool { return path.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".") }

// check looks whether a transcript is new, has changed, or is gone.
func (w *watcher) check(name string) {
	st, err := w.root.Lstat(filepath.FromSlash(name))
	f := w.files[name]
	if err == nil && st.Mode()&fs.ModeSymlink != 0 {
		w.refuse(name)
	}
	switch {
	case err != nil || !st.Mode().IsRegular():
		if f != nil && !f.busy {
			w.lost(f)
		}
	case f == nil:
		w.files[name] = &file{name: name, size: st.Size(), mod: st.ModTime(), grew: w.o.Clock().Up, dirty: true}
	case st.Size() != f.size || !st.ModTime().Equal(f.mod) || f.is != nil && !os.SameFile(f.is, st):
		f.dirty = true
	}
}

// lost forgets a transcript that is gone. It may come back, as another one.
func (w *watcher) lost(f *file) {
	delete(w.files, f.name)
	w.changed = true
}

// touched takes a hint of the system's.
func (w *watcher) touched(now Moment, name string) {
	rel, err := filepath.Rel(w.o.Folder, name)
	if err != nil || !filepath.IsLocal(rel) {
		w.touchedBeside(now, name)
		return
	}
	rel = filepath.ToSlash(rel)
	switch dir, base := path.Split(rel); {
	case rel == ".": // the folder is gone, or another one
		w.scan(now, true)
	case dir == "": // a project comes, goes, or is another one by now
		delete(w.folders, base)
		w.list(base)
	case strings.Count(rel, "/") > 1 || !plain(base):
		return
	default:
		w.check(rel)
	}
	if w.hinted == (Moment{}) {
		w.hinted = now
	}
}
