// Package project names the project that a repository belongs to.
package project

import (
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// A Worktree is the folder in which the project is worked on.
type Worktree struct {
	stores *stores.Stores
}

// New returns a Worktree over the rooms that it uses.
func New(stores *stores.Stores) *Worktree {
	return &Worktree{stores: stores}
}

// Name is what the repository is called: as its folder, wherever the git directory lies.
// The user's own store has none.
func (w *Worktree) Name() string {
	if w.stores.IsOwn() {
		return ""
	}
	return projects.Of(w.stores.Store).Name
}

// IsProjectPath tells a path that stands for a project from its name: it begins with ./ or
// ../, or is absolute.
func IsProjectPath(project string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(project), "/")
	return first == "." || first == ".." || filepath.IsAbs(project)
}

// NameOf is the name of the project that a name or a path stands for; "" for this
// repository itself, whatever its checkpoints call it.
func (w *Worktree) NameOf(project string) string {
	project = strings.TrimSpace(project)
	top := w.stores.Store.Repo.Top()
	if !IsProjectPath(project) || top == "" {
		return project
	}
	if !filepath.IsAbs(project) {
		project = filepath.Join(top, project)
	}
	if rel, err := filepath.Rel(top, project); err == nil && filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Base(project)
}
