package loose

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// LinkTo gives an object of this store a second name in another, which takes no
// room. Where that cannot be, on another file system or one without links, or
// since the object was packed meanwhile or is another user's, or since a damaged file
// has that name, it is written there, not durably, for the same people as its folder.
func (s *Store) LinkTo(to *Store, o Object) error {
	err := link(s.path(o.ID), to.path(o.ID))
	if err == nil || o.Data == nil || errors.Is(err, fs.ErrExist) && to.Holds(o) {
		return err
	}
	into := *to
	into.Durable, into.likeFolder = false, true
	return into.Write(o)
}

func link(from, to string) error {
	err := fsx.Link(from, to)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := fsx.MkdirIn(filepath.Dir(to)); err != nil {
		return err
	}
	return fsx.Link(from, to)
}
