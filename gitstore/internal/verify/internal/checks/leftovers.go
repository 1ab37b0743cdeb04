package checks

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
)

// tmpAge is the age from which a temporary file is taken for left behind by a
// writer that was killed. One is written in milliseconds.
const tmpAge = 24 * time.Hour

// Leftovers counts temporary files that killed writers left. Nobody reads them.
type Leftovers struct{}

func (Leftovers) Run(p *pass.Pass) {
	var old []string
	var size int64
	look := func(dir string, isTmp func(string) bool) {
		list, _ := fsx.ReadDir(dir)
		for _, e := range list {
			st, err := e.Info()
			if err == nil && e.Type().IsRegular() && isTmp(e.Name()) && time.Since(st.ModTime()) > tmpAge {
				old, size = append(old, filepath.Join(dir, e.Name())), size+st.Size()
			}
		}
	}
	objects := p.Repo.Where.Objects
	look(objects, loose.IsTemporary)
	list, _ := fsx.ReadDir(objects)
	for _, e := range list {
		if len(e.Name()) == 2 && record.IsHex(e.Name()) {
			look(filepath.Join(objects, e.Name()), loose.IsTemporary)
		}
	}
	_ = fsx.WalkDir(p.Repo.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() != "backup.git" {
			look(path, func(name string) bool { return strings.HasPrefix(name, ".tmp-") })
			return nil
		}
		if err == nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if len(old) > 0 {
		p.Warn("leftover", fmt.Sprintf("%d temporary files", len(old)), fmt.Sprintf("%d bytes that killed writers left; the first is '%s'", size, old[0]))
		p.Mend(&fixes.Temps{Files: old})
	}
}
