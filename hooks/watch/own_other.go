//go:build !unix

package watch

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the lock on an open file, for as long as this process has it open.
func lock(f *os.File) (mine bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}

// holder is -1 if a process holds the lock on a file, which the system does not name, 0 if
// none does.
func holder(f *os.File) (pid int, err error) {
	free, err := lock(f)
	if err != nil || !free {
		return -1, err
	}
	return 0, windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{})
}
