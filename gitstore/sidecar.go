package gitstore

import (
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Identity is the random id of this repository, by which derived files tell theirs
// from those of another. It is made when it is missing.
func (s *Store) Identity() (string, error) {
	if _, err := s.giveID(); err != nil {
		return "", err
	}
	b, err := fsx.ReadOwn(s.dir("id"))
	if id := text(b); err != nil || len(id) != 32 || !isHex(id) {
		return "", fmt.Errorf("'%s' holds no id of the repository; remove it, and another is made", s.dir("id"))
	}
	return text(b), nil
}

// SidecarDir is where files that search derives from git lie: with the other caches in
// the git directory. There no clone can bring them along, all worktrees share them,
// nothing shows up in the work tree, and a purge takes them out. Where other machines
// write to the repository, so that neither locks nor mapped files can be relied on,
// they lie in the user's folder.
func (s *Store) SidecarDir() string {
	if s.o.Home != "" && !isLocal(s.where.commonDir) {
		if id, err := s.Identity(); err == nil {
			return filepath.Join(s.o.Home, "cache", id)
		}
	}
	dir := s.dir("cache", "search")
	if st, err := fsx.Lstat(dir); err == nil && !st.IsDir() {
		_ = fsx.Remove(dir) // a link would lead what a purge removes elsewhere
	}
	return dir
}

// isLocal is replaced by tests, which have no network file system.
var isLocal = func(path string) bool {
	_, local := fsx.Kind(path)
	return local
}
