package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
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
	at := s.knowledge()
	if err := s.mayRead(at); err != nil {
		return nil, err
	}
	entries, err := s.folder(at + ":" + templatesDir)
	if errors.Is(err, git.ErrMissing) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("list '%s': %w", templatesDir, err)
	}
	sums := tallies{}
	err = s.eachItem(templateBound.boundedFiles(templatesDir, entries), func(e treeEntry, o git.Object, err error) {
		if err == nil {
			err = sums.add(e.name, len(o.Data))
		}
		f := TreeFile{Path: e.name, Err: err}
		if err == nil {
			f.Data = o.Data
		}
		list = append(list, f)
	})
	return list, cmp.Or(err, ctx.Err())
}
