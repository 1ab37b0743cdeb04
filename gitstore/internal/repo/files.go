package repo

import (
	"fmt"
	"hash/crc32"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// OwnFolders are all folders that we keep files in: the common one, those of every
// work tree, and what is derived beside the user's files.
func (rp *Repo) OwnFolders() []string {
	dirs := []string{rp.WorktreeDir()}
	for _, dir := range rp.GitDirs() {
		dirs = append(dirs, filepath.Join(dir, "sage"))
	}
	if rp.Where.Top != "" {
		local := filepath.Join(rp.Where.Top, ".sage", "local")
		if st, err := fsx.Lstat(local); err == nil && st.IsDir() {
			dirs = append(dirs, local)
		}
	}
	return dirs
}

// RemoveDerived removes a folder into which others may write just now: a file that
// comes while the others go leaves the folder behind.
func RemoveDerived(dir string) (err error) {
	for range MaxTries {
		if err = fsx.RemoveAll(dir); err == nil {
			break
		}
	}
	return err
}

// ends are the commits at which a shallow clone ends, an id a line behind an empty one.
type ends []byte

// Shallow lists where a shallow clone ends.
func (rp *Repo) Shallow() ends {
	b, _ := fsx.ReadFile(filepath.Join(rp.Where.CommonDir, "shallow"))
	return append([]byte("\n"), b...)
}

// Depth tells states of a shallow clone apart: deepened, it reaches more from the same tips.
// It is "" where history is whole.
func (e ends) Depth() string {
	if len(e) <= 1 {
		return ""
	}
	return fmt.Sprintf("%08x-%d", crc32.ChecksumIEEE(e), len(e))
}

// GitDirs are the folders in which git keeps the state of a work tree.
func (rp *Repo) GitDirs() []string {
	dirs := []string{rp.Where.CommonDir}
	trees, _ := fsx.ReadDir(filepath.Join(rp.Where.CommonDir, "worktrees"))
	for _, d := range trees {
		dirs = append(dirs, filepath.Join(rp.Where.CommonDir, "worktrees", d.Name()))
	}
	return dirs
}
