package fsx

import (
	"os"
	"syscall"
)

func identity(path string) (Identity, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return Identity{Device: uint64(st.Dev), Inode: st.Ino, Born: st.Birthtimespec.Nano()}, nil
}
