package fsx

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// SyncDir makes the names in dir durable: what was created, renamed or removed
// there is still so after a power cut. A missing folder is not an error, since
// git may have packed the ref that lay in it.
func SyncDir(dir string) error {
	if err := fault(OpSyncDir, dir); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDir(f)
}

// SyncAll is SyncFile and SyncDir for several, side by side: what one of them waits for the
// others mostly need not wait for again.
func SyncAll(files, dirs []string) error {
	errs := make([]error, len(files)+len(dirs))
	var all sync.WaitGroup
	for i := range errs {
		one := func() {
			if i < len(files) {
				errs[i] = SyncFile(files[i])
			} else {
				errs[i] = SyncDir(dirs[i-len(files)])
			}
		}
		if i == len(errs)-1 {
			one()
		} else {
			all.Go(one)
		}
	}
	all.Wait()
	return cmp.Or(errs...)
}

// SyncFile makes the content of a file durable. A missing one is not an error.
func SyncFile(name string) error {
	f, err := Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// maxFile bounds what ReadFile and ReadOwn take, in bytes. The largest that is
// met is packed-refs: a million refs.
const maxFile = 128 << 20

// ReadFile is os.ReadFile for a file that a stranger may have put there: it
// refuses what is no regular file, so that a pipe or a device does not keep the
// reader for ever, and one of more than 128 MiB.
func ReadFile(name string) ([]byte, error) { return read(name, 0) }

// ReadOwn is ReadFile for a file that only we write: a symbolic link is none.
func ReadOwn(name string) ([]byte, error) { return read(name, noFollow) }

// ReadSmall reads a file that a list of its folder showed to be a regular one, of
// less than a few hundred bytes: more is cut off. It takes a third of the time of
// ReadFile, which a thousand refs make felt.
func ReadSmall(name string) ([]byte, error) {
	for _, op := range []Op{OpOpen, OpRead} {
		if err := fault(op, name); err != nil {
			return nil, err
		}
	}
	return readSmall(name, 256)
}

func read(name string, flags int) ([]byte, error) {
	f, err := OpenFile(name, os.O_RDONLY|nonblock|flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	case st.Size() > maxFile:
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("too large")}
	}
	b := make([]byte, st.Size()+1) // one more, to see the end in one call
	n, err := io.ReadFull(f, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n < len(b) {
		return b[:n], nil
	}
	rest, err := io.ReadAll(io.LimitReader(f, maxFile)) // it grew meanwhile
	return append(b, rest...), err
}

// Mkdir makes a folder, and those above it, for the same people as the folder
// that it is made in: git gives a shared repository to a group that way, and a
// private one to nobody.
//
// Above a folder sage it makes none: that lies in a git directory, and where there is none
// the repository was moved or deleted while somebody worked on it. Made anew it would be
// an empty folder in the place of a repository.
func Mkdir(dir string) error {
	if st, err := Stat(dir); err == nil && st.IsDir() {
		return nil
	}
	if above := filepath.Dir(dir); above != dir && !inGitDir(dir) {
		if err := Mkdir(above); err != nil {
			return err
		}
	}
	return MkdirIn(dir)
}

// inGitDir reports whether a folder is called as ours in a git directory; refs/sage is one of
// git's.
func inGitDir(dir string) bool {
	return filepath.Base(dir) == "sage" && filepath.Base(filepath.Dir(dir)) != "refs"
}

// MkdirIn is Mkdir for a folder that is not there, in one that is: it asks the
// system for three things less.
func MkdirIn(dir string) error {
	making.Lock()
	defer making.Unlock()
	if err := MkdirOne(dir, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) { // made by another meanwhile, or a file
			return nil
		}
		return err
	}
	if st, err := Stat(filepath.Dir(dir)); err == nil {
		return Chmod(dir, st.Mode()&(fs.ModePerm|fs.ModeSetgid))
	}
	return nil
}

// making is held while a folder has been made and is not yet for those whom it is
// for. What another goroutine makes in it then would be for its owner alone, as the
// umask may have it, and so keep the others of a shared repository out for ever.
var making sync.Mutex

// ReadableAs lets those read a file, and nobody write it, whom a folder is for.
func ReadableAs(f *File, dir string) error {
	mode, err := modeOf(dir)
	if err != nil {
		return err
	}
	return f.Chmod(mode & 0o444)
}

func modeOf(dir string) (fs.FileMode, error) {
	making.Lock()
	defer making.Unlock()
	st, err := Stat(dir)
	if err != nil {
		return 0, err
	}
	return st.Mode(), nil
}

// as is the mode of a file for the same people as its folder, unless it is for
// its owner alone.
func as(dir string, perm fs.FileMode) fs.FileMode {
	mode, err := modeOf(dir)
	if err != nil || perm&0o077 == 0 {
		return perm
	}
	return mode & 0o666
}

// WriteFile replaces the file name by data, whole or not at all, and durably.
// Missing folders are made as Mkdir does. A file that is not for its owner alone
// is for those whom its folder is for.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return replace(name, data, perm, true)
}

// WriteDerived is WriteFile for what can be made again: it is whole or absent
// while the system runs, and may be lost in a power cut.
func WriteDerived(name string, data []byte, perm fs.FileMode) error {
	return replace(name, data, perm, false)
}

func replace(name string, data []byte, perm fs.FileMode, durable bool) error {
	dir := filepath.Dir(name)
	f, err := CreateTemp(dir, ".tmp-*")
	if errors.Is(err, fs.ErrNotExist) {
		if err = Mkdir(dir); err == nil {
			f, err = CreateTemp(dir, ".tmp-*")
		}
	}
	if err != nil {
		return err
	}
	err = fill(f, data, as(dir, perm), durable)
	if err == nil {
		err = Rename(f.Name(), name)
	}
	if err != nil {
		_ = Remove(f.Name())
		return err
	}
	if durable {
		return SyncDir(dir)
	}
	return nil
}

func fill(f *File, data []byte, perm fs.FileMode, durable bool) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(perm)
	}
	if err == nil && durable {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}
