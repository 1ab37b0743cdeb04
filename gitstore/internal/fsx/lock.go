//go:build unix || windows

package fsx

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"sync/atomic"
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
	err = lockNow(f)
	if isLocked(err) {
		waited = true
		err = awaitLock(ctx, f, func() { seen(f, false) })
	}
	switch {
	case err == nil:
		seen(f, true)
		return &Lock{f}, waited, nil
	case errors.Is(err, errStillLocked): // and the file closed, or left to who waits
		return nil, true, nil
	}
	_ = f.Close() // a file system without locks: there is nothing to wait for
	return nil, false, nil
}

// errStillLocked says that another has the lock.
var errStillLocked = errors.New("locked")

const (
	// lookAgain is how often one who waits for a lock looks whose it is.
	lookAgain = 50 * time.Millisecond
	// mostLeft bounds the threads that wait for a lock which nobody wants any more: of one
	// who is stopped, and gives nothing up.
	mostLeft = 16
)

// left are those threads.
var left atomic.Int32

// awaitLock waits until the lock on a file is had or ctx ends, and looks at times whose
// it is. Where it can, the system wakes who has waited longest: of fifty who ask again and
// again, each at its own pace, the last needs luck, and they take the time of the one who
// works.
func awaitLock(ctx context.Context, f *os.File, look func()) error {
	if look(); ctx.Err() != nil {
		_ = f.Close()
		return errStillLocked
	}
	next := pollLock
	if lockNext != nil && left.Load() < mostLeft {
		next = func(_ context.Context, f *os.File) error { return lockNext(f) }
	}
	had := make(chan error, 1)
	go func() { had <- next(ctx, f) }()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		select {
		case err := <-had:
			if errors.Is(err, errStillLocked) {
				_ = f.Close()
			}
			return err
		case <-again.C:
			look()
		case <-ctx.Done():
			left.Add(1)
			go func() {
				<-had // it may still be given
				left.Add(-1)
				_ = f.Close()
			}()
			return errStillLocked
		}
	}
}

// pollLock takes the lock on a file when another has given it up, or returns when ctx ends.
func pollLock(ctx context.Context, f *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		select {
		case <-ctx.Done():
			return errStillLocked
		case <-time.After(pause):
		}
		if err := lockNow(f); !isLocked(err) {
			return err
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

// leave notes a number for who has the lock next.
func (l *Lock) leave(n int64) error {
	if l == nil {
		return nil
	}
	_, err := l.f.WriteAt(binary.BigEndian.AppendUint64(nil, uint64(n)), 0)
	return err
}

// left is the number that was noted last, not ok if there is none.
func (l *Lock) left() (n int64, ok bool) {
	if l == nil {
		return 0, false
	}
	var b [8]byte
	if _, err := l.f.ReadAt(b[:], 0); err != nil {
		return 0, false
	}
	n = int64(binary.BigEndian.Uint64(b[:]))
	return n, n >= 0
}

// Unlock gives the lock up. It may be called on nil.
func (l *Lock) Unlock() {
	if l != nil {
		_ = l.f.Close()
	}
}
