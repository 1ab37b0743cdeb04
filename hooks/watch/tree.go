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

// lookOut opens the folder and asks the system to tell of changes in it, if it can.
func (w *watcher) lookOut() error {
	if err := os.MkdirAll(w.o.Folder, 0o700); err != nil { // the client makes it with its first session
		return err
	}
	root, err := os.OpenRoot(w.o.Folder)
	if err != nil {
		return err
	}
	if w.root != nil {
		_ = w.root.Close()
	}
	w.root = root
	w.shut()
	name, local := gitstore.FileSystem(w.o.Folder)
	switch {
	case w.o.Poll:
		err = errors.New("as it is set")
	case !local:
		err = errors.New(name + " tells of no changes by others")
	default:
		w.eye, err = fsnotify.NewWatcher()
	}
	if err != nil {
		w.poll(err)
		return nil
	}
	w.mode, w.every = "fsnotify", turn
	w.attend(append(w.place.clients(), w.o.Folder)...)
	for _, s := range w.stores {
		w.attend(s.folder())
	}
	return nil
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

// pollShare keeps looking below a thousandth of the time: a look at 900 folders takes 14 ms.
const pollShare = 1000

// scan looks for transcripts that are new, have changed, or are gone.
func (w *watcher) scan() {
	began := time.Now()
	is, err := w.root.Stat(".")
	if st, there := os.Stat(w.o.Folder); err != nil || there != nil || !os.SameFile(is, st) { // it is another one by now
		if err := w.lookOut(); err != nil {
			w.note("%v", err)
		}
	}
	list, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		w.note("%v", err)
	}
	for name := range w.files {
		w.check(name)
	}
	for _, e := range list {
		w.list(e.Name())
	}
	if w.eye == nil {
		w.every = min(max(pollTurn, pollShare*time.Since(began)), time.Minute)
	}
}

// lstat looks what has a name in the folder, and says once of a link that it is not followed.
func (w *watcher) lstat(name string) (fs.FileInfo, error) {
	st, err := w.root.Lstat(filepath.FromSlash(name))
	if err == nil && st.Mode()&fs.ModeSymlink != 0 && !w.refused[name] && len(w.refused) < 1000 {
		w.refused[name] = true
		w.note("%s is a link; it is not followed", name)
	}
	return st, err
}

// list looks for new transcripts of a project.
func (w *watcher) list(dir string) {
	st, err := w.lstat(dir)
	if err != nil || !st.IsDir() {
		return
	}
	w.attend(filepath.Join(w.o.Folder, dir))
	list, err := fs.ReadDir(w.root.FS(), dir)
	if err != nil {
		w.note("%v", err)
	}
	for _, e := range list {
		if name := path.Join(dir, e.Name()); plain(e.Name()) && w.files[name] == nil {
			w.check(name)
		}
	}
}

// plain reports whether a name in a project's folder is that of a transcript.
func plain(name string) bool { return path.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".") }

// check looks whether a transcript is new, has changed, or is gone.
func (w *watcher) check(name string) {
	st, err := w.lstat(name)
	f := w.files[name]
	switch {
	case err != nil || !st.Mode().IsRegular():
		if f != nil && !f.busy {
			w.lost(f)
		}
	case f == nil:
		w.files[name] = &file{name: name, st: st, grew: w.o.Clock(), dirty: true}
	case st.Size() != f.st.Size() || !st.ModTime().Equal(f.st.ModTime()) || !os.SameFile(f.st, st):
		f.dirty = true
	}
}

// lost forgets a transcript that is gone. It may come back, as another one.
func (w *watcher) lost(f *file) {
	delete(w.files, f.name)
	w.changed = true
}

// touched takes a hint of the system's: on a transcript, or on what the notes of clients and
// the journals of stores tell of.
func (w *watcher) touched(now time.Time, name string) {
	if soon := now.Add(settle); soon.Before(w.next) {
		w.next = soon
	}
	switch dir, base := filepath.Dir(name), filepath.Base(name); {
	case name == w.o.Folder: // it is gone, or another one
		w.scan()
	case dir == w.o.Folder: // a project comes, or is another one by now
		w.list(base)
	case filepath.Dir(dir) == w.o.Folder && plain(base):
		w.check(path.Join(filepath.Base(dir), base))
	}
}
