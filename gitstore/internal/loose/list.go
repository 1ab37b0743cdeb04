package loose

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// IDs lists the objects that lie here, whole or not.
func (s *Store) IDs() (ids []string, err error) {
	for b := range 256 {
		dir := string("0123456789abcdef"[b>>4]) + string("0123456789abcdef"[b&15])
		files, err := fsx.ReadDir(filepath.Join(s.Dir, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, f := range files {
			if len(dir+f.Name()) == 2*s.hash().Size() {
				ids = append(ids, dir+f.Name())
			}
		}
	}
	return ids, nil
}

// RemoveOld removes an object that is elsewhere too, unless it was written or
// refreshed after at: then somebody counts on it. It reports whether it did.
func (s *Store) RemoveOld(id string, at time.Time) (bool, error) {
	st, err := fsx.Stat(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || st.ModTime().After(at) {
		return false, err
	}
	if err := fsx.Remove(s.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, nil
}

// IsTemporary knows the temporary files of git and of ours among the objects.
func IsTemporary(name string) bool { return strings.HasPrefix(name, "tmp_obj_") }
