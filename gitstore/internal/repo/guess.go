package repo

import (
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Dirs are where a repository may lie, found without git and trusted with
// nothing: they only let two questions be put to git at once, and tell what a git that
// takes long may wait for. In a linked work tree, which only git finds, the first saves a
// save 2.9 ms of processor time (21.2 and not 24.3, medians of 60 pairs in turn). Elsewhere
// it saves nothing.
type Dirs struct{ Git, Common string }

func guessDirs(dir string) (d Dirs) {
	for ; ; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, ".git")
		if st, err := fsx.Stat(p); err == nil {
			if !st.IsDir() {
				return linked(dir, p)
			}
			return Dirs{p, p}
		}
		if filepath.Dir(dir) == dir {
			return d
		}
	}
}

func linked(dir, file string) (d Dirs) {
	b, err := fsx.ReadFile(file)
	p, ok := strings.CutPrefix(Text(b), "gitdir: ")
	if err != nil || !ok {
		return d
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	d = Dirs{Git: p, Common: p}
	if b, err := fsx.ReadFile(filepath.Join(p, "commondir")); err == nil {
		if d.Common = Text(b); !filepath.IsAbs(d.Common) {
			d.Common = filepath.Join(p, d.Common)
		}
	}
	return d
}
