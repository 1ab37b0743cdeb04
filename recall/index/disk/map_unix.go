//go:build unix

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const flags = unix.O_NONBLOCK | unix.O_NOFOLLOW

// take maps the file, and keeps it for [File.Copy].
func (f *File) take(file *os.File) (err error) {
	switch {
	case f.size == 0:
	case int64(int(f.size)) != f.size:
		err = unix.EFBIG
	default:
		f.data, err = unix.Mmap(int(file.Fd()), 0, int(f.size), unix.PROT_READ, unix.MAP_SHARED)
	}
	if err != nil {
		_ = file.Close()
		return &os.PathError{Op: "mmap", Path: f.name, Err: err}
	}
	f.file = file
	return nil
}

// Close gives back what Open took. What At returned must not be used any more.
func (f *File) Close() error {
	b := f.data
	f.data, f.size = nil, 0
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if b != nil {
		err = errors.Join(err, unix.Munmap(b))
	}
	return err
}
