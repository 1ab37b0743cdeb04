package app

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
)

// openNothing opens an empty store in the place of the user's own, which is not there yet.
// It lies among the temporary files until the command ends.
func (a *App) openNothing(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	dir, err := os.MkdirTemp("", "git-sage-")
	if err != nil {
		return nil, err
	}
	a.Temporary = append(a.Temporary, dir)
	o.Home = dir
	return OpenStore(ctx, o)
}

// RealPath is where the store of the user will lie, of a path in that which stands in its
// place.
func (a *App) RealPath(path string) string {
	for _, dir := range a.Temporary {
		if path == ownStore(dir) {
			return ownStore(a.Home())
		}
	}
	return path
}

// MemoryOf is the folder whose memory a store is: that of a work tree, or else of git's files.
func MemoryOf(a *App, s *gitstore.Store) string {
	if top := s.Repo.Top(); top != "" {
		return top
	}
	return a.RealPath(filepath.Clean(s.Repo.GitDir()))
}

// hasOwn reports whether there is a store of the user's.
func hasOwn(home string) bool {
	_, err := os.Stat(ownStore(home))
	return home != "" && err == nil
}

// IsOutside says that a command is about the user's own store for want of a repository.
func (a *App) IsOutside(s *gitstore.Store) bool {
	return !a.Global && a.RealPath(filepath.Clean(s.Repo.CommonDir())) == ownStore(a.Home())
}

// SayOutside tells that of what was written: who is in the wrong folder looks for it in
// vain in the right one.
func (a *App) SayOutside(quiet bool) {
	if !quiet && a.Store != nil && a.IsOutside(a.Store) {
		a.Say("note: not in a git repository: saved in your own store, %s", a.Homely(a.Home()))
	}
}
