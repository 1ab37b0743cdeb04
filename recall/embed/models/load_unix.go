//go:build unix

package models

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// load maps a file into memory, for as long as the process lives.
func load(path string) (string, error) {
	f, err := plainfile.Open(path, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if n := info.Size(); n < 1 || int64(int(n)) != n || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s holds no weights", path)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return "", &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), nil
}
