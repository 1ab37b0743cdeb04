//go:build unix

package watch

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock on an open file, for as long as this process has it open: no other
// file of the same name may be closed meanwhile, since that gives it up. A lock of
// fcntl(2) and not of flock(2), for the kernel tells who holds it.
func lock(f *os.File) (mine bool, err error) {
	err = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK})
	if err == unix.EAGAIN || err == unix.EACCES {
		return false, nil
	}
	return err == nil, err
}

// holder is the process that holds the lock on a file, 0 if none does, and -1 if it is of
// another container or machine.
func holder(f *os.File) (pid int, err error) {
	l := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_GETLK, &l); err != nil || l.Type == unix.F_UNLCK {
		return 0, err
	}
	if l.Pid <= 0 {
		return -1, nil
	}
	return int(l.Pid), nil
}
