package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/plugin"
)

const (
	openWithin = 10 * time.Second // to see which refs moved; git is asked
	mostNew    = 20               // checkpoints of one ref that are told of
)

// A store is a repository whose refs are followed, because a session works there.
type store struct {
	common string // git directory
	dir    string // a folder that belongs to it
	tips   map[string]string
	sign   string // of its journal, when tips were looked at
	busy   bool
}

// visit follows the refs of the repository of a folder.
func (w *watcher) visit(dir string) {
	if _, known := w.asked[dir]; known || dir == "" {
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
				w.attend(s.folder())
			}
		})
	}()
}

// folder is where the journal lies, in which each move of a ref is noted.
func (s *store) folder() string { return filepath.Join(s.common, "sage") }

// signature changes when a ref has moved.
func (s *store) signature() string {
	st, err := os.Stat(filepath.Join(s.folder(), "journal"))
	if err != nil {
		return ""
	}
	return fmt.Sprint(st.Size(), st.ModTime().UnixNano())
}

// moved looks which refs have moved, if any did.
func (w *watcher) moved(s *store) {
	sign := s.signature()
	if s.busy || sign == s.sign { // a busy one is looked at again when that is done
		return
	}
	s.busy, s.sign = true, sign
	w.attend(s.folder()) // it comes with the first save
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
