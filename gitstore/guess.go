package gitstore

import (
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// dirs are where a repository may lie, found without git and trusted with
// nothing: they only let two questions be put to git at once.
type dirs struct{ git, common string }

func guessDirs(dir string) (d dirs) {
	for ; ; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, ".git")
		if st, err := fsx.Stat(p); err == nil {
			if !st.IsDir() {
				return linked(dir, p)
			}
			return dirs{p, p}
		}
		if filepath.Dir(dir) == dir {
			return d
		}
	}
}

func linked(dir, file string) (d dirs) {
	b, err := fsx.ReadFile(file)
	p, ok := strings.CutPrefix(text(b), "gitdir: ")
	if err != nil || !ok {
		return d
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	d = dirs{git: p, common: p}
	if b, err := fsx.ReadFile(filepath.Join(p, "commondir")); err == nil {
		if d.common = text(b); !filepath.IsAbs(d.common) {
			d.common = filepath.Join(p, d.common)
		}
	}
	return d
}
