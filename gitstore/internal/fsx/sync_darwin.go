package fsx

import (
	"errors"
	"os"
	"syscall"
)

// syncFile has the medium write, by F_FULLFSYNC: fsync alone only hands the content
// to the drive. A file system that does not know it, such as one on a server, gets
// fsync.
func syncFile(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOTTY) || errors.Is(err, syscall.EINVAL) {
		return syscall.Fsync(int(f.Fd()))
	}
	return err
}
