package disk

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// A Lock is held until Unlock or the end of the process.
type Lock struct{ f *os.File }

// TryLock takes the lock on the file name, waiting until ctx ends; nil says that
// another has it. Where the file system knows no locks everybody gets one: the names
// of segments are random, and a list is replaced whole, so that the worst is an update
// which is lost and made again.
func TryLock(ctx context.Context, name string) (*Lock, error) {
	if err := fault("flock", name); err != nil {
		return nil, err
	}
	f, err := openLock(name)
	if os.IsNotExist(err) {
		if err = makeFolder(filepath.Dir(name)); err == nil {
			f, err = openLock(name)
		}
	}
	if errors.Is(err, ErrForeign) && Clear(name) == nil {
		f, err = openLock(name)
	}
	if err != nil {
		return nil, err
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := lockNow(f)
		if err == nil || !isLocked(err) {
			return &Lock{f}, nil
		}
		select {
		case <-ctx.Done():
			return nil, f.Close()
		case <-time.After(pause):
		}
	}
}

func openLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flags, 0o600)
	if err != nil {
		return nil, foreign(name, err)
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		_ = f.Close()
		return nil, cmp.Or(err, error(&os.PathError{Op: "open", Path: name, Err: ErrForeign}))
	}
	return f, nil
}

// Unlock gives the lock up.
func (l *Lock) Unlock() {
	if l.f != nil {
		_ = l.f.Close()
	}
}
