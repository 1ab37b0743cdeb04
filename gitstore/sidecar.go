package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Identity is the random id of this repository, by which derived files tell theirs
// from those of another. It is made when it is missing.
func (s *Store) Identity() (string, error) {
	if _, err := s.giveID(); err != nil {
		return "", err
	}
	id := IdentityIn(s.dir())
	if id == "" {
		return "", fmt.Errorf("'%s' holds no id of the repository; remove it, and another is made", s.dir("id"))
	}
	return id, nil
}

// IdentityIn is the [Store.Identity] of the repository that a folder belongs to, as
// [Store.Folder] names it; "" if there is none, or none any more.
func IdentityIn(folder string) string {
	b, err := fsx.ReadOwn(filepath.Join(folder, "id"))
	if id := text(b); err == nil && len(id) == 32 && isHex(id) {
		return id
	}
	return ""
}

// SidecarDir is where files that search derives from git lie: with the other caches in
// the git directory. There no clone can bring them along, all worktrees share them,
// nothing shows up in the work tree, and a purge takes them out. Where this user may
// not write there, other users may, or other machines, so that neither locks nor mapped
// files can be relied on, they lie in the user's folder.
func (s *Store) SidecarDir() string {
	dir := s.dir("cache", "search")
	for _, d := range []string{filepath.Dir(dir), dir} {
		if st, err := fsx.Lstat(d); err == nil && !st.IsDir() {
			_ = fsx.Remove(d) // a link would lead what a purge removes elsewhere
		}
	}
	if s.isShared() || !isLocal(s.where.commonDir) || !mayWrite(dir) {
		if own := s.ownCache(); own != "" {
			_ = fsx.MkdirAll(s.o.Home, 0o700) // else search does without files
			return own
		}
	}
	return dir
}

// RemoveSidecar removes what SidecarDir names, also while others write into it.
func (s *Store) RemoveSidecar() error { return removeDerived(s.SidecarDir()) }

// ownCache is where in the user's folder files of this repository lie; "" if there is
// none, or the repository has no id.
func (s *Store) ownCache() string {
	if s.o.Home == "" {
		return ""
	}
	id, err := s.Identity()
	if err != nil {
		return ""
	}
	return filepath.Join(s.o.Home, "cache", id)
}

// mayWrite reports whether this user may write to a folder, or make it.
func mayWrite(dir string) bool {
	for {
		err := fsx.Writable(dir)
		if up := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && up != dir {
			dir = up
			continue
		}
		return err == nil
	}
}

// isLocal is replaced by tests, which have no network file system.
var isLocal = func(path string) bool {
	_, local := fsx.Kind(path)
	return local
}
