//go:build linux || darwin

package fsx

import "syscall"

func space(path string) (d Disk, ok bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(path, &st) != nil {
		return d, false
	}
	size := uint64(st.Bsize)
	return Disk{st.Bavail * size, st.Blocks * size, st.Ffree, st.Files}, true
}
