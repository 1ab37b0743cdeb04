package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"
)

var (
	// ErrShort says that a file ends before what is asked for.
	ErrShort = errors.New("file is too short")
	// ErrForeign says that something else stands in the place of a file, or one that may
	// not be read.
	ErrForeign = errors.New("not a file of the index")
)

// A File is read only, and keeps its content while it is open, whatever becomes of
// its name.
type File struct {
	name string
	size int64
	data []byte   // all of it, where it is mapped
	kept bool     // it is not mapped, but was made in memory
	file *os.File // nil if it was made in memory
}

// Open opens a regular file that is no symbolic link.
func Open(name string) (*File, error) {
	f, st, err := open("open", name)
	if err != nil {
		return nil, err
	}
	out := &File{name: name, size: st.Size()}
	return out, out.take(f)
}

// open opens a regular file, and does not wait for who would write into a pipe.
func open(op, name string) (f *os.File, st fs.FileInfo, err error) {
	if err = fault(op, name); err == nil {
		err = patiently(func() error { f, err = os.OpenFile(name, os.O_RDONLY|flags, 0); return err })
	}
	if err != nil {
		return nil, nil, foreign(name, err)
	}
	if st, err = f.Stat(); err == nil && !st.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrForeign}
	}
	if err != nil {
		_ = f.Close()
	}
	return f, st, err
}

// foreign makes an ErrForeign of an error if something is there that another would
// have to take away, or a file that cannot be read at all.
func foreign(name string, err error) error {
	st, err2 := os.Lstat(name)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EIO) || err2 == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return err
}

// Bytes is a file that was not written yet.
func Bytes(b []byte) *File { return &File{size: int64(len(b)), data: b, kept: true} }

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
	if f.data != nil || n == 0 {
		return f.data[off : off+n : off+n], nil
	}
	b := aligned(int(n))
	return b, f.Read(b, off)
}

// Read fills b from off on and maps nothing: where little is read of a large file here and
// there, a mapping would come to hold the 64 kB around each place.
func (f *File) Read(b []byte, off int64) error {
	if off < 0 || off > f.size || int64(len(b)) > f.size-off {
		return ErrShort
	}
	if f.file == nil {
		copy(b, f.data[off:])
		return nil
	}
	if err := fault("read", f.name); err != nil {
		return err
	}
	_, err := f.file.ReadAt(b, off)
	return err
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
			err = fmt.Errorf("a file was deleted while it was read: %w", r)
		default:
			panic(r)
		}
	}()
	return do()
}
