package fsx

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Stat is os.Stat.
func Stat(name string) (fs.FileInfo, error) {
	if err := fault(OpStat, name); err != nil {
		return nil, err
	}
	return os.Stat(name)
}

// Lstat is os.Lstat: of a symbolic link itself.
func Lstat(name string) (fs.FileInfo, error) {
	if err := fault(OpStat, name); err != nil {
		return nil, err
	}
	return os.Lstat(name)
}

// ReadDir is os.ReadDir: what lies in a folder, by name.
func ReadDir(name string) ([]fs.DirEntry, error) {
	if err := fault(OpList, name); err != nil {
		return nil, err
	}
	return os.ReadDir(name)
}

// OpenRoot is os.OpenRoot: what is opened through it lies inside of the folder.
func OpenRoot(name string) (*os.Root, error) {
	if err := fault(OpList, name); err != nil {
		return nil, err
	}
	return os.OpenRoot(name)
}

// WalkDir is filepath.WalkDir.
func WalkDir(root string, fn fs.WalkDirFunc) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = fault(OpList, path)
		}
		return fn(path, d, err)
	})
}

// Readlink is os.Readlink.
func Readlink(name string) (string, error) {
	if err := fault(OpStat, name); err != nil {
		return "", err
	}
	return os.Readlink(name)
}

// Rename gives the file old the name new, whatever had that before.
func Rename(old, new string) error {
	return patiently(func() error {
		if err := fault(OpRename, new); err != nil {
			return err
		}
		return rename(old, new)
	})
}

// busy reports whether an operation may succeed a moment later.
var busy = isBusy

// maxBusy is how long is waited for a file that another process has open, where
// that keeps it from being replaced.
const maxBusy = time.Second

func patiently(f func() error) error {
	err := f()
	for pause, waited := time.Millisecond, time.Duration(0); err != nil && busy(err) && waited < maxBusy; pause *= 2 {
		time.Sleep(pause)
		waited += pause
		err = f()
	}
	return err
}

// Link gives the file old a second name. Not every file system can.
func Link(old, new string) error {
	if err := fault(OpLink, new); err != nil {
		return err
	}
	return os.Link(old, new)
}

// Remove removes a file or an empty folder.
func Remove(name string) error {
	return patiently(func() error {
		if err := fault(OpRemove, name); err != nil {
			return err
		}
		return os.Remove(name)
	})
}

// RemoveAll removes a folder and what lies in it. What is not there is no error.
func RemoveAll(name string) error {
	if err := fault(OpRemove, name); err != nil {
		return err
	}
	return os.RemoveAll(name)
}

// MkdirOne is os.Mkdir: one folder, as the umask has it.
func MkdirOne(dir string, perm fs.FileMode) error {
	if err := fault(OpMkdir, dir); err != nil {
		return err
	}
	return os.Mkdir(dir, perm)
}

// MkdirAll is os.MkdirAll: for what is not beside git's own files.
func MkdirAll(dir string, perm fs.FileMode) error {
	if err := fault(OpMkdir, dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, perm)
}

// MkdirTemp is os.MkdirTemp.
func MkdirTemp(dir, pattern string) (string, error) {
	if err := fault(OpMkdir, dir); err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, pattern)
}

// Touch makes a file as young as at.
func Touch(name string, at time.Time) error {
	if err := fault(OpTouch, name); err != nil {
		return err
	}
	return os.Chtimes(name, at, at)
}

// Chmod changes the mode of a name.
func Chmod(name string, perm fs.FileMode) error {
	if err := fault(OpChmod, name); err != nil {
		return err
	}
	return os.Chmod(name, perm)
}
