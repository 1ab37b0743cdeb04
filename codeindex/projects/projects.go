// Package projects knows which repositories of this machine have an index of their code.
package projects

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// A Project is a repository.
type Project struct {
	Name string // as its folder
	Dir  string // the folder that it is worked on in, or the repository itself where it is bare
}

// Of is the project of a store, wherever its git directory lies.
func Of(s *gitstore.Store) Project {
	common := filepath.Clean(s.Repo.CommonDir())
	dir := common
	if top := s.Repo.Top(); filepath.Base(common) == ".git" { // also from a linked worktree
		dir = filepath.Dir(common)
	} else if top != "" && filepath.Clean(s.Repo.GitDir()) == common { // a submodule, --separate-git-dir
		dir = top
	}
	return at(dir)
}

func at(dir string) Project { return Project{strings.TrimSuffix(filepath.Base(dir), ".git"), dir} }

// A Registry is a folder of the user with a file for each project, which holds its path.
type Registry struct{ dir string }

// In is the registry in the home folder of the user; "" has none, and remembers nothing.
func In(home string) Registry {
	if home == "" {
		return Registry{}
	}
	return Registry{filepath.Join(home, "cache", "projects")}
}

func nameOf(p Project) string {
	sum := sha256.Sum256([]byte(p.Dir))
	return hex.EncodeToString(sum[:8])
}

// Note remembers a project. What cannot be written is not known elsewhere, and no failure.
func (r Registry) Note(p Project) {
	name := nameOf(p)
	if r.dir == "" {
		return
	}
	if _, err := os.Lstat(filepath.Join(r.dir, name)); err != nil {
		_ = disk.NewFolder(r.dir).Write(name, func(w io.Writer) error {
			_, err := io.WriteString(w, p.Dir)
			return err
		})
	}
}

// Forget takes a project back, until it is noted again.
func (r Registry) Forget(p Project) {
	if r.dir != "" {
		_ = os.Remove(filepath.Join(r.dir, nameOf(p)))
	}
}

// longest is how many bytes a path may have.
const longest = 1 << 16

// List lists the projects by name. What is no file of [Registry.Note] is none.
func (r Registry) List() (out []Project) {
	files, _ := os.ReadDir(r.dir) // of none there are none
	for _, f := range files {
		b, err := plainfile.Read(filepath.Join(r.dir, f.Name()), longest)
		if p := at(string(b)); err == nil && filepath.IsAbs(p.Dir) && nameOf(p) == f.Name() {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Project) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Dir, b.Dir)) })
	return out
}

// Named are the projects of a name, in any capitals, or at a path.
func Named(list []Project, name string) (out []Project, err error) {
	var names []string
	for _, p := range list {
		if strings.EqualFold(p.Name, name) || p.Dir == filepath.Clean(name) {
			out = append(out, p)
		}
		names = append(names, legible.OneLine(p.Name))
	}
	if len(out) > 0 {
		return out, nil
	}
	if near := naming.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("no project '%s' is indexed on this machine, did you mean '%s'?", legible.OneLine(name), near)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return nil, fmt.Errorf("no project '%s' is indexed on this machine, but %s: 'git sage index' in a repository adds it",
		legible.OneLine(name), cmp.Or(strings.Join(names, ", "), "none at all"))
}

// mostNamed is how many projects are named to who asks for one that there is not.
const mostNamed = 20
