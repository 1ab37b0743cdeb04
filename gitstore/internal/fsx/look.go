package fsx

import (
	"errors"
	"io/fs"
)

// FilesBelow lists the files below a folder. A link is none.
func FilesBelow(root string) (files []string) {
	_ = WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil // what cannot be read is said by the search in the end
	})
	return files
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

// IsFolder reports whether there is a folder of that name.
func IsFolder(dir string) bool {
	st, err := Stat(dir)
	return err == nil && st.IsDir()
}

// There reports whether anything of that name is there, or may be.
func There(file string) bool {
	_, err := Lstat(file)
	return !errors.Is(err, fs.ErrNotExist)
}
