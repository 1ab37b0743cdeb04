package claudesage_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/claudesage"
)

var ctx = context.Background()

// now is later than what the tool wrote.
func now() time.Time { return time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC) }

// A world has a repository, a store of the user's, and what was set.
type world struct {
	*storetest.World
	t         *testing.T
	stores    map[bool]*gitstore.Store
	set       map[string]string
	templates map[string]bool
}

func newWorld(t *testing.T) world {
	w := storetest.New(t)
	w.Repo("r")
	return world{w, t, map[bool]*gitstore.Store{}, map[string]string{}, map[string]bool{}}
}

func (w world) store(own bool) *gitstore.Store {
	w.t.Helper()
	if s := w.stores[own]; s != nil {
		return s
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Global: own, Home: w.Path("home/.sage"), Env: w.Env, Now: now, Person: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	w.stores[own] = s
	return s
}

// source is the source over the folders project and home of a folder.
func (w world) source(dir string) *claudesage.Source {
	return &claudesage.Source{
		Folders: []*claudesage.Folder{{Dir: filepath.Join(dir, "project", ".sage"), Shown: ".sage"}, {Dir: filepath.Join(dir, "home", ".sage"), Own: true, Shown: "~/.sage"}},
		Skills:  &claudesage.Folder{Dir: filepath.Join(dir, "home", ".claude", "skills"), Own: true, Shown: "~/.claude/skills"},
		Now:     now,
	}
}

func (w world) run(src imports.Source) imports.Report {
	w.t.Helper()
	r, err := imports.Run(ctx, src, imports.Target{
		Project: w.store(false),
		Own:     func() (*gitstore.Store, error) { return w.store(true), nil },
		AddTemplate: func(own bool, text []byte, dry bool) error {
			if w.templates[string(text)] {
				return gitstore.ErrNothing
			}
			w.templates[string(text)] = true
			return nil
		},
		Set: func(own bool, key, value string, dry bool) error {
			where := map[bool]string{false: "project ", true: "home "}[own]
			if w.set[where+key] == value {
				return gitstore.ErrNothing
			}
			w.set[where+key] = value
			return nil
		},
	}, imports.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}
