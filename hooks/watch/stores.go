package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/plugin"
)

const (
	openWithin  = 10 * time.Second // to see which refs moved; git is asked
	mostFolders = 256              // of which the repository is known
	mostNew     = 20               // checkpoints of one ref that are told of
)

// A store is a repository whose refs are followed, because a session works there.
type store struct {
	common string // git directory
	dir    string // a folder that belongs to it
	tips   map[string]string
	sign   string // of its files, when tips were looked at
	busy   bool
}

// visit follows the refs of the repository of a folder.
func (w *watcher) visit(dir string) {
	if _, known := w.asked[dir]; known || dir == "" || len(w.asked) >= mostFolders {
		return
	}
	w.asked[dir] = ""
	go func() {
		s, _, err := w.see(dir, nil)
		w.send(func() {
			if err != nil {
				return
			}
			w.asked[dir] = s.common
			if w.stores[s.common] == nil {
				w.stores[s.common] = s
				w.attend(s.places()...)
			}
		})
	}()
}

// places are the folders in which something changes when a ref moves: git's own, and that
// of the journal.
func (s *store) places() []string {
	return []string{
		filepath.Join(s.common, "sage"), filepath.Join(s.common, "refs", "sage"),
		filepath.Join(s.common, "refs", "sage", "heads"), filepath.Join(s.common, "reftable"),
	}
}

// signature changes when a ref has moved.
func (s *store) signature() string {
	var b strings.Builder
	for _, name := range append(s.places(), filepath.Join(s.common, "sage", "journal"), filepath.Join(s.common, "packed-refs")) {
		if st, err := os.Stat(name); err == nil {
			fmt.Fprintf(&b, "%d %d;", st.Size(), st.ModTime().UnixNano())
		}
		b.WriteByte('/')
	}
	return b.String()
}

// touchedBeside takes a hint on a folder that is not the transcripts'.
func (w *watcher) touchedBeside(now Moment, name string) {
	if strings.HasPrefix(name, w.place.run()) {
		w.ended(now)
		return
	}
	for _, s := range w.stores {
		if strings.HasPrefix(name, s.common+string(filepath.Separator)) {
			w.moved(s)
		}
	}
}

// followStores looks for what nobody told.
func (w *watcher) followStores() {
	for dir, common := range w.asked {
		if common == "" { // it may be a repository by now
			delete(w.asked, dir)
		}
	}
	for _, s := range w.stores {
		w.moved(s)
	}
}

// moved looks which refs have moved, if any did.
func (w *watcher) moved(s *store) {
	sign := s.signature()
	if s.busy || sign == s.sign { // a busy one is looked at again when that is done
		return
	}
	s.busy, s.sign = true, sign
	w.attend(s.places()...) // some of them come with the first save
	go func() {
		now, events, err := w.see(s.dir, s.tips)
		w.send(func() {
			s.busy = false
			if err != nil {
				if !os.IsNotExist(err) {
					w.note("%s: %v", s.dir, err)
				}
				return
			}
			s.tips = now.tips
			for _, e := range events {
				w.order([]plugin.Event{e}, nil)
			}
			w.moved(s)
		})
	}()
}

// see looks at the refs of the repository of a folder, and tells what happened to those
// that were elsewhere before; nil is a first look. It is for any goroutine.
func (w *watcher) see(dir string, before map[string]string) (*store, []plugin.Event, error) {
	ctx, cancel := context.WithTimeout(w.ctx, openWithin)
	defer cancel()
	g, err := w.o.Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	if err := g.Repo.Enabled(); err != nil {
		return nil, nil, fs.ErrNotExist
	}
	s := &store{common: g.Repo.CommonDir(), dir: dir}
	s.sign = s.signature()
	if s.tips, err = g.Repo.Tips(ctx); err != nil || before == nil {
		return s, nil, err
	}
	var events []plugin.Event
	for ref, id := range s.tips {
		if before[ref] != id {
			e := plugin.Event{Kind: plugin.CheckpointFileCreated, Dir: dir, Ref: ref, New: id}
			events = append(append(events, e), created(ctx, g, e, before[ref])...)
		}
	}
	return s, events, nil
}

// created are the checkpoints that a ref has since it moved from an id; "" is a new one.
func created(ctx context.Context, g *gitstore.Store, e plugin.Event, old string) (list []plugin.Event) {
	if e.Ref == gitstore.KnowledgeRef {
		return nil
	}
	revs, most := e.New, 1 // of a new line: what it continues is not new
	if old != "" {
		revs, most = old+".."+e.New, mostNew
	}
	records, err := g.Commits.Log(ctx, gitstore.Query{Revs: []string{revs}, Max: most})
	if err != nil {
		return nil
	}
	for _, r := range records {
		if r.Kind != gitstore.KindTombstone && !r.Removed {
			c := e
			c.Kind, c.Checkpoint, c.Session = plugin.CheckpointCreated, r.ID, r.Session
			list = append(list, c)
		}
	}
	return list
}
