package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func identity(path string) (Identity, error) {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO|unix.STATX_BTIME, &st)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // an old kernel, or a sandbox that knows no statx
		var old unix.Stat_t
		if err = unix.Stat(path, &old); err == nil {
			return Identity{Device: uint64(old.Dev), Inode: old.Ino}, nil
		}
	}
	if err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	id := Identity{Device: unix.Mkdev(st.Dev_major, st.Dev_minor), Inode: st.Ino}
	if st.Mask&unix.STATX_BTIME != 0 {
		id.Born = st.Btime.Sec*1e9 + int64(st.Btime.Nsec)
	}
	return id, nil
}
