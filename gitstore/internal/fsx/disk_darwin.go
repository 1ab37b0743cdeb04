package fsx

import "syscall"

// mntLocal is MNT_LOCAL of sys/mount.h.
const mntLocal = 0x1000

func kind(path string) (name string, local bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(path, &st) != nil {
		return "", true
	}
	var b []byte
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		b = append(b, byte(c))
	}
	return string(b), st.Flags&mntLocal != 0
}
