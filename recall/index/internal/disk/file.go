package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
)

// ErrShort says that a file ends before what is asked for.
var ErrShort = errors.New("file is too short")

// A File is read only, and keeps its content while it is open, whatever becomes of
// its name.
type File struct {
	name string
	size int64
	data []byte   // all of it, where it is mapped
	file *os.File // where it is not
}

// Open opens a regular file that is no symbolic link.
func Open(name string) (*File, error) {
	if err := fault("open", name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|flags, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	out := &File{name: name, size: st.Size()}
	return out, out.take(f)
}

// Bytes is a file that was not written yet.
func Bytes(b []byte) *File { return &File{size: int64(len(b)), data: b} }

// Size is its length.
func (f *File) Size() int64 { return f.size }

// Name is its path.
func (f *File) Name() string { return f.name }

// At returns n bytes from off on, which must not be written to. They lie at an
// address that is a multiple of 8 if off is.
func (f *File) At(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > f.size || n > f.size-off {
		return nil, ErrShort
	}
	if f.file == nil {
		return f.data[off : off+n : off+n], nil
	}
	if err := fault("read", f.name); err != nil {
		return nil, err
	}
	b := aligned(int(n))
	_, err := f.file.ReadAt(b, off)
	return b, err
}

// Guard calls do and turns a fault of memory into an error: what is mapped goes away
// under its reader when somebody shortens the file, or the disk fails.
func Guard(do func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr
		}:
			err = fmt.Errorf("a file went away while it was read: %w", r)
		default:
			panic(r)
		}
	}()
	return do()
}
