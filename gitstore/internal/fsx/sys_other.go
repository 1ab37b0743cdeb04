//go:build !unix && !windows

package fsx

import (
	"context"
	"os"
	"time"
)

const nonblock, noFollow = 0, 0

func syncDir(*os.File) error { return nil }

func rename(old, new string) error { return os.Rename(old, new) }

func isBusy(error) bool { return false }

func lockLines(*os.File, bool) (had, again bool) { return false, false }

func unlock(*os.File) {}

// A Lock is held until Unlock or the end of the process.
type Lock struct{}

// TryLock has nothing to lock with here: writers meet at git's own
// compare-and-swap, which is what keeps them safe everywhere.
func TryLock(context.Context, string) (l *Lock, waited bool, err error) { return nil, false, nil }

// Queue is TryLock for those who take turns.
func Queue(context.Context, string, time.Duration) (l *Lock, waited bool, err error) {
	return nil, false, nil
}

func (l *Lock) leave(int64) error { return nil }

func (l *Lock) left() (n int64, ok bool) { return 0, false }

// Unlock gives the lock up. It may be called on nil.
func (l *Lock) Unlock() {}
