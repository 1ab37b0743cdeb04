//go:build unix

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

const flags = unix.O_NONBLOCK | unix.O_NOFOLLOW

// take maps the file, and closes it.
func (f *File) take(file *os.File) error {
	defer file.Close()
	if f.size == 0 {
		return nil
	}
	if int64(int(f.size)) != f.size {
		return &os.PathError{Op: "mmap", Path: f.name, Err: unix.EFBIG}
	}
	b, err := unix.Mmap(int(file.Fd()), 0, int(f.size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return &os.PathError{Op: "mmap", Path: f.name, Err: err}
	}
	f.data = b
	return nil
}

// Close gives back what Open took. What At returned must not be used any more.
func (f *File) Close() error {
	b := f.data
	f.data, f.size = nil, 0
	if f.kept || b == nil {
		return nil
	}
	return unix.Munmap(b)
}
