//go:build unix

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func lockNow(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

func isLocked(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) }

func isBusy(error) bool { return false }
