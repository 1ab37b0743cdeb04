package gitstore

import (
	"os"
	"path/filepath"
	"strings"
)

// dirs are where a repository may lie, found without git and trusted with
// nothing: they only let two questions be put to git at once.
type dirs struct{ git, common, config string }

func guessDirs(dir string) (d dirs) {
	for ; ; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, ".git")
		if st, err := os.Stat(p); err == nil {
			if !st.IsDir() {
				return linked(dir, p)
			}
			return dirs{p, p, filepath.Join(p, "config")}
		}
		if filepath.Dir(dir) == dir {
			return d
		}
	}
}

func linked(dir, file string) (d dirs) {
	b, err := os.ReadFile(file)
	p, ok := strings.CutPrefix(text(b), "gitdir: ")
	if err != nil || !ok {
		return d
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	d = dirs{git: p, common: p}
	if b, err := os.ReadFile(filepath.Join(p, "commondir")); err == nil {
		if d.common = text(b); !filepath.IsAbs(d.common) {
			d.common = filepath.Join(p, d.common)
		}
	}
	d.config = filepath.Join(d.common, "config")
	return d
}
