package repo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// FilesBelow lists the files below a folder. A link is none.
func FilesBelow(root string) (files []string) {
	_ = fsx.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil // what cannot be read is said by the search in the end
	})
	return files
}

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

// ModeWord says what lies where a file is expected.
func ModeWord(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m.IsDir():
		return "folder"
	}
	return "file"
}

func IsFolder(dir string) bool {
	st, err := fsx.Stat(dir)
	return err == nil && st.IsDir()
}

func There(file string) bool {
	_, err := fsx.Lstat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// TmpObject knows the temporary files of git and of ours among the objects.
func TmpObject(name string) bool { return strings.HasPrefix(name, "tmp_obj_") }

// Shallow lists where a shallow clone ends, an id a line behind an empty one.
func (rp *Repo) Shallow() []byte {
	b, _ := fsx.ReadFile(filepath.Join(rp.Where.CommonDir, "shallow"))
	return append([]byte("\n"), b...)
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
