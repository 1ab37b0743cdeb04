package verify

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// tmpAge is the age from which a temporary file is taken for left behind by a
// writer that was killed. One is written in milliseconds.
const tmpAge = 24 * time.Hour

// leftovers counts temporary files that killed writers left. Nobody reads them.
func (k *checker) leftovers() {
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
	objects := k.s.repo.Where.Objects
	look(objects, repo.TmpObject)
	list, _ := fsx.ReadDir(objects)
	for _, e := range list {
		if len(e.Name()) == 2 && record.IsHex(e.Name()) {
			look(filepath.Join(objects, e.Name()), repo.TmpObject)
		}
	}
	_ = fsx.WalkDir(k.s.repo.Dir(), func(path string, d fs.DirEntry, err error) error {
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
		k.warn("leftover", fmt.Sprintf("%d temporary files", len(old)), fmt.Sprintf("%d bytes that killed writers left; the first is '%s'", size, old[0]), "")
		k.mend(&tmpFix{old})
	}
}

// A tmpFix removes temporary files. They are no part of anything, so that there
// is nothing to keep.
type tmpFix struct{ files []string }

func (f *tmpFix) about() string { return "temporary files" }
func (f *tmpFix) will() string  { return "removes them if no git is running here" }
func (f *tmpFix) did() string   { return fmt.Sprintf("removed %d", len(f.files)) }

func (f *tmpFix) plan(*checker, *repair) error { return nil }

func (f *tmpFix) do(_ context.Context, r *repair) error {
	if err := r.s.nobodyAtWork(); err != nil {
		return err
	}
	for _, file := range f.files {
		if err := fsx.Remove(file); err != nil {
			return err
		}
	}
	return nil
}
