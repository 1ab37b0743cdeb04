package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const nonblock, noFollow = 0, 0

// A folder cannot be synced here. Names are made durable by rename, which waits for
// the disk.
func syncDir(*os.File) error { return nil }

// lockNow takes the lock on a file if nobody has it. It goes with the process. The
// byte that is locked lies far behind the content, which others may read: a lock
// is one on reading and writing, too.
func lockNow(f *os.File) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
}

// lockNext is nil: nobody here waits for a lock without asking again.
var lockNext func(*os.File) error

// unlock gives up what lockNow took.
func unlock(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}

// lockLines takes no lock here: a file that is open cannot be replaced.
func lockLines(*os.File, bool) (had, again bool) { return false, false }

// isLocked reports whether lockNow found that another has the lock.
func isLocked(err error) bool {
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING)
}

// rename returns when the new name is on the disk. An object may not be written to,
// which here keeps it from being replaced as well.
func rename(old, new string) error {
	from, err := windows.UTF16PtrFromString(old)
	to, err2 := windows.UTF16PtrFromString(new)
	if err == nil {
		err = err2
	}
	if err == nil {
		err = windows.MoveFileEx(from, to, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	}
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) && os.Chmod(new, 0o666) == nil {
		err = windows.MoveFileEx(from, to, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: old, New: new, Err: err}
	}
	return nil
}

// isBusy reports whether another process has the file open, so that it cannot be
// replaced or removed now: one that searches for viruses or makes an index, or a
// reader of ours.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
