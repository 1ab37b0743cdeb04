package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
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
	if _, known := w.asked[dir]; !known && dir != "" {
		w.asked[dir] = ""
		w.read(&store{dir: dir})
	}
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

// moved looks which refs have moved, if any did. One that is read is looked at again when
// that is done.
func (w *watcher) moved(s *store) {
	if sign := s.signature(); !s.busy && sign != s.sign {
		s.sign = sign
		w.attend(s.folder()) // it comes with the first save
		w.read(s)
	}
}

// read reads where the refs of a store are, and tells of those that moved.
func (w *watcher) read(s *store) {
	s.busy = true
	now := *s
	go func() {
		moves, err := now.read(w.ctx, w.o.Open)
		w.send(func() {
			s.busy = false
			switch {
			case err != nil && s.common != "" && !os.IsNotExist(err):
				w.note("%s: %v", s.dir, err)
			case err != nil: // it is no repository, or none of ours
			case s.common == "": // a first look
				now.busy = false
				w.asked[s.dir] = now.common
				if w.stores[now.common] == nil {
					w.stores[now.common] = &now
					w.attend(now.folder())
				}
			default:
				s.tips = now.tips
				w.tell(s, moves)
				w.moved(s)
			}
		})
	}()
}

// tell notes which refs moved, and has other sessions told of what was saved.
func (w *watcher) tell(s *store, moves []move) {
	for _, m := range moves {
		w.note("%s moved to %.8s", m.ref, s.tips[m.ref])
		for _, r := range m.made {
			w.order(hooks.Order{Session: r.Session, Dir: s.dir}, r.ID, func(bool) {}, plugin.CheckpointCreated)
		}
	}
}

// A move is what happened to a ref.
type move struct {
	ref  string
	made []gitstore.Record // checkpoints that it has since
}

// read looks at the refs, and tells what happened to those that were elsewhere before. It is
// for any goroutine.
func (s *store) read(ctx context.Context, open func(context.Context, string) (*gitstore.Store, error)) (moves []move, err error) {
	ctx, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	g, err := open(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	if g.Repo.Enabled() != nil {
		return nil, fs.ErrNotExist
	}
	first, before := s.common == "", s.tips
	s.common = g.Repo.CommonDir()
	if first {
		s.sign = s.signature()
	}
	if s.tips, err = g.Repo.Tips(ctx); err != nil || first {
		return nil, err
	}
	for ref, id := range s.tips {
		if before[ref] != id {
			moves = append(moves, move{ref, created(ctx, g, ref, before[ref], id)})
		}
	}
	return moves, nil
}

// created are the checkpoints that a ref has since it moved from an id; "" is a new one.
func created(ctx context.Context, g *gitstore.Store, ref, from, to string) []gitstore.Record {
	if ref == gitstore.KnowledgeRef {
		return nil
	}
	revs, most := to, 1 // of a new line: what it continues is not new
	if from != "" {
		revs, most = from+".."+to, mostNew
	}
	records, _ := g.Commits.Log(ctx, gitstore.Query{Revs: []string{revs}, Max: most}) // else the ref alone is told of
	return slices.DeleteFunc(records, func(r gitstore.Record) bool { return r.Kind == gitstore.KindTombstone || r.Removed })
}
