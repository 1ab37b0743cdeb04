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
	common string            // git directory
	dir    string            // a folder that belongs to it
	tips   map[string]string // nil before a first look
	sign   string            // of its journal, when tips were looked at
	busy   bool
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

// visit follows the refs of the repository of a folder, if it is in one.
func (w *watcher) visit(dir string) {
	s := &store{dir: dir}
	w.read(s, func(moves) {
		if w.stores[s.common] == nil {
			w.stores[s.common] = s
			w.attend(s.folder())
		}
	})
}

// moved looks which refs have moved, if any did, and has other sessions told of what was
// saved.
func (w *watcher) moved(s *store) {
	if s.busy || s.signature() == s.sign { // a busy one is looked at again when that is done
		return
	}
	w.attend(s.folder()) // it comes with the first save
	w.read(s, func(made moves) {
		for ref, list := range made {
			w.note("%s moved to %.8s", ref, s.tips[ref])
			for _, r := range list {
				w.order(hooks.Order{Session: r.Session, Dir: s.dir}, plugin.CheckpointCreated, r.ID, func(bool) {})
			}
		}
		w.moved(s)
	})
}

// moves are the refs that moved, each with the checkpoints that it has since.
type moves map[string][]gitstore.Record

// read looks where the refs of a store are, and calls then with what moved since the last
// look.
func (w *watcher) read(s *store, then func(moves)) {
	s.busy, s.sign = true, s.signature()
	was := *s
	go func() {
		now, made, err := w.see(was)
		w.send(func() {
			s.busy = false
			if err == nil {
				s.common, s.tips, s.sign = now.common, now.tips, now.sign
				then(made)
			} else if s.tips != nil && !os.IsNotExist(err) {
				w.note("%s: %v", s.dir, err)
			}
		})
	}()
}

// see looks where the refs of a store are. It is for any goroutine.
func (w *watcher) see(s store) (now store, made moves, err error) {
	ctx, cancel := context.WithTimeout(w.ctx, openWithin)
	defer cancel()
	g, err := w.o.Open(ctx, s.dir)
	if err != nil {
		return s, nil, err
	}
	defer g.Close()
	if g.Repo.Enabled() != nil {
		return s, nil, fs.ErrNotExist
	}
	before := s.tips
	s.common = g.Repo.CommonDir()
	s.sign = s.signature()
	if s.tips, err = g.Repo.Tips(ctx); err != nil || before == nil {
		return s, nil, err
	}
	made = moves{}
	for ref, id := range s.tips {
		if before[ref] != id {
			made[ref] = created(ctx, g, ref, before[ref], id)
		}
	}
	return s, made, nil
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
	return slices.DeleteFunc(records, func(r gitstore.Record) bool { return !r.Counts() })
}
