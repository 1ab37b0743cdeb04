package knowledge

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Identity is the random id of this repository, by which derived files tell theirs
// from those of another. It is made when it is missing.
func (kn *Collection) Identity() (string, error) {
	if _, err := kn.repo.GiveID(); err != nil {
		return "", err
	}
	id := IdentityIn(kn.repo.Dir())
	if id == "" {
		return "", fmt.Errorf("'%s' is not a repository id; delete it to create a new one", kn.repo.Dir("id"))
	}
	return id, nil
}

// IdentityIn is the [Collection.Identity] of the repository that a folder belongs to, as
// [repo.Repo.Folder] names it; "" if there is none, or none any more.
func IdentityIn(folder string) string {
	b, err := fsx.ReadOwn(filepath.Join(folder, "id"))
	if id := git.Text(b); err == nil && len(id) == 32 && record.IsHex(id) {
		return id
	}
	return ""
}

// SidecarDir is where files that search derives from git lie: with the other caches in
// the git directory. There no clone can bring them along, all worktrees share them,
// nothing shows up in the work tree, and a purge takes them out. Where this user may
// not write there, other users may, or other machines, so that neither locks nor mapped
// files can be relied on, they lie in the user's folder.
func (kn *Collection) SidecarDir() string {
	dir := kn.repo.Dir("cache", "search")
	for _, d := range []string{filepath.Dir(dir), dir} {
		if st, err := fsx.Lstat(d); err == nil && !st.IsDir() {
			_ = fsx.Remove(d) // a link would lead what a purge removes elsewhere
		}
	}
	if kn.backup.IsShared() || !IsLocal(kn.repo.Where.CommonDir) || !mayWrite(dir) {
		if own := kn.OwnCache(); own != "" {
			_ = fsx.MkdirAll(kn.repo.Options.Home, 0o700) // else search does without files
			return own
		}
	}
	return dir
}

// RemoveSidecar removes what SidecarDir names, also while others write into it.
func (kn *Collection) RemoveSidecar() error { return repo.RemoveDerived(kn.SidecarDir()) }

// OwnCache is where in the user's folder files of this repository lie; "" if there is
// none, or the repository has no id.
func (kn *Collection) OwnCache() string {
	if kn.repo.Options.Home == "" {
		return ""
	}
	id, err := kn.Identity()
	if err != nil {
		return ""
	}
	return filepath.Join(kn.repo.Options.Home, "cache", id)
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

// IsLocal is replaced by tests, which have no network file system.
var IsLocal = func(path string) bool {
	_, local := fsx.Kind(path)
	return local
}
