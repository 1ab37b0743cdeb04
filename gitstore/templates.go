package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
)

// A TreeFile is a file of the knowledge tree, or why it is not read.
type TreeFile struct {
	Path string
	Data []byte
	Err  error
}

// Templates reads the templates of the knowledge tree, by name, no more than its bounds
// let be read; one that is beyond has an error.
func (s *Store) Templates(ctx context.Context) (list []TreeFile, err error) {
	at := s.History.Knowledge()
	if err := s.History.MayRead(at); err != nil {
		return nil, err
	}
	entries, err := s.Tree.ItemFolder(at + ":" + contents.TemplatesDir)
	if errors.Is(err, git.ErrMissing) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("list '%s': %w", contents.TemplatesDir, err)
	}
	sums := contents.Tallies{}
	err = s.Tree.EachItem(contents.TemplateBound.BoundedFiles(contents.TemplatesDir, entries), func(e gittree.Entry, o git.Object, err error) {
		if err == nil {
			err = sums.Add(e.Name, len(o.Data))
		}
		f := TreeFile{Path: e.Name, Err: err}
		if err == nil {
			f.Data = o.Data
		}
		list = append(list, f)
	})
	return list, cmp.Or(err, ctx.Err())
}
