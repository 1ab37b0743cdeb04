//go:build unix

package fsx

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
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
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) { // some network file systems cannot
		return nil
	}
	return err
}

// A Lock is held until Unlock or the end of the process.
type Lock struct{ f *os.File }

// TryLock takes the lock on the file name, waiting until ctx ends. It keeps
// the order among writers fair and guards nothing: waited says that another
// one held it, and a nil Lock with a nil error that it could not be had.
func TryLock(ctx context.Context, name string) (l *Lock, waited bool, err error) {
	return tryLock(ctx, name, func(*os.File, bool) {})
}

// tryLock calls seen when it has the lock, and each time that it has not.
func tryLock(ctx context.Context, name string, seen func(f *os.File, mine bool)) (l *Lock, waited bool, err error) {
	if err := fault(OpLock, name); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|nonblock|noFollow, 0o666)
	if errors.Is(err, os.ErrPermission) { // another's, in a shared repository
		f, err = os.OpenFile(name, os.O_RDONLY|nonblock|noFollow, 0)
	}
	if err != nil {
		return nil, false, err
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			seen(f, true)
			return &Lock{f}, waited, nil
		}
		waited = true
		seen(f, false)
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, true, nil
		case <-time.After(pause):
		}
	}
}

// Queue is TryLock for those who take turns: who holds the lock leaves a mark in
// the file, and who has waited so long for the same one waits no more, since it
// may be stopped.
func Queue(ctx context.Context, name string, same time.Duration) (l *Lock, waited bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var holder [8]byte
	since := time.Now()
	return tryLock(ctx, name, func(f *os.File, mine bool) {
		var now [8]byte
		if mine {
			binary.NativeEndian.PutUint64(now[:], rand.Uint64())
			_, _ = f.WriteAt(now[:], 0) // in a file of another user's there is no mark
			return
		}
		if _, _ = f.ReadAt(now[:], 0); now != holder {
			holder, since = now, time.Now()
		}
		if time.Since(since) > same {
			cancel()
		}
	})
}

// Unlock gives the lock up. It may be called on nil.
func (l *Lock) Unlock() {
	if l != nil {
		_ = l.f.Close()
	}
}

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

// Inode tells one file from another that took its name.
func Inode(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return sys.Ino
	}
	return 0
}
