//go:build unix || windows

package fsx

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"time"
)

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
	own, err := openOwn(name, os.O_RDWR)
	if errors.Is(err, os.ErrPermission) { // another's, in a shared repository
		own, err = OpenFile(name, os.O_RDONLY|nonblock|noFollow, 0)
	}
	if err != nil {
		return nil, false, err
	}
	f := own.f
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := lockNow(f)
		if err == nil {
			seen(f, true)
			return &Lock{f}, waited, nil
		}
		if !isLocked(err) { // a file system without locks: there is nothing to wait for
			_ = f.Close()
			return nil, false, nil
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
