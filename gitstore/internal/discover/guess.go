package discover

import (
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// GitDirs are where a repository may lie, found without git and trusted with nothing: they
// tell what a git that takes long may wait for.
type GitDirs struct{ Git, Common string }

// Guess looks for a repository from dir upwards.
func Guess(dir string) (d GitDirs) {
	for ; ; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, ".git")
		if st, err := fsx.Stat(p); err == nil {
			if !st.IsDir() {
				return linked(dir, p)
			}
			return GitDirs{p, p}
		}
		if filepath.Dir(dir) == dir {
			return d
		}
	}
}

func linked(dir, file string) (d GitDirs) {
	b, err := fsx.ReadFile(file)
	p, ok := strings.CutPrefix(git.Text(b), "gitdir: ")
	if err != nil || !ok {
		return d
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	d = GitDirs{Git: p, Common: p}
	if b, err := fsx.ReadFile(filepath.Join(p, "commondir")); err == nil {
		if d.Common = git.Text(b); !filepath.IsAbs(d.Common) {
			d.Common = filepath.Join(p, d.Common)
		}
	}
	return d
}
