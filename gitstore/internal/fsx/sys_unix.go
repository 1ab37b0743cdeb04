//go:build unix

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// nonblock keeps an open of a pipe from waiting for its other end, noFollow
// refuses a symbolic link.
const (
	nonblock = syscall.O_NONBLOCK
	noFollow = syscall.O_NOFOLLOW
)

func readSmall(name string, most int) ([]byte, error) {
	for {
		fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|nonblock|noFollow, 0)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
		b := make([]byte, most)
		n, err := syscall.Read(fd, b)
		_ = syscall.Close(fd)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		}
		return b[:n], nil
	}
}

func syncDir(f *os.File) error {
	err := syncFile(f)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) { // some network file systems cannot
		return nil
	}
	return err
}

// lockNow takes the lock on a file if nobody has it. It goes with the last process
// that has the file open, however that ends.
func lockNow(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// lockNext takes the lock on a file when those before it have given it up, however long
// that takes.
var lockNext = func(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// lockLines takes the lock on a file to which several append, alone or together with them, if nobody
// has one that is in the way; again says that somebody has.
func lockLines(f *os.File, alone bool) (had, again bool) {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	return err == nil, isLocked(err)
}

// unlock gives up what lockNow or lockLines took, also for a child that is being started just now and
// has every file open until it runs its program.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// isLocked reports whether lockNow found that another has the lock.
func isLocked(err error) bool {
	return errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR)
}

// A file that is open can be replaced and removed: who has it open keeps it.
func rename(old, new string) error { return os.Rename(old, new) }

func isBusy(error) bool { return false }

// Alive reports whether a process with this id exists.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// Mine reports whether the user of this process owns path, and on which device
// it lies.
func Mine(path string) (dev uint64, ok bool) {
	var st syscall.Stat_t
	if syscall.Lstat(path, &st) != nil {
		return 0, false
	}
	return uint64(st.Dev), int(st.Uid) == os.Geteuid()
}

// Writable returns why this process may not write to a folder or file, or nil.
func Writable(path string) error {
	if err := fault(OpStat, path); err != nil {
		return err
	}
	if err := syscall.Access(path, 2); err != nil { // W_OK
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// Inode tells one file from another that took its name.
func Inode(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return sys.Ino
	}
	return 0
}
