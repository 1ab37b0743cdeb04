package fsx

import (
	"cmp"
	"io"
	"io/fs"
	"os"
)

// A File is an open file, as os.File is one.
type File struct {
	f       *os.File
	written bool // may be: closing it may fail with what did not get to the disk
}

// Open opens a file to read it, a pipe without waiting for its other end.
func Open(name string) (*File, error) { return OpenFile(name, os.O_RDONLY|nonblock, 0) }

// OpenFile is os.OpenFile.
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	op := OpOpen
	if flag&os.O_CREATE != 0 {
		op = OpCreate
	}
	if err := fault(op, name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &File{f, flag&(os.O_WRONLY|os.O_RDWR) != 0}, nil
}

// CreateTemp is os.CreateTemp: a new file, for its owner alone.
func CreateTemp(dir, pattern string) (*File, error) {
	if err := fault(OpCreate, dir); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	return &File{f, true}, nil
}

// Name is what the file was opened as.
func (f *File) Name() string { return f.f.Name() }

// Fd is the descriptor.
func (f *File) Fd() uintptr { return f.f.Fd() }

// Stat says what the file is, whatever has its name meanwhile.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := fault(OpStat, f.Name()); err != nil {
		return nil, err
	}
	return f.f.Stat()
}

// Read is io.Reader.
func (f *File) Read(b []byte) (int, error) {
	if err := fault(OpRead, f.Name()); err != nil {
		return 0, err
	}
	return f.f.Read(b)
}

// ReadAt is io.ReaderAt.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	if err := fault(OpRead, f.Name()); err != nil {
		return 0, err
	}
	return f.f.ReadAt(b, off)
}

// Seek is io.Seeker.
func (f *File) Seek(off int64, whence int) (int64, error) { return f.f.Seek(off, whence) }

// Write is io.Writer. A fault leaves half of b behind, as a full disk does.
func (f *File) Write(b []byte) (int, error) {
	if err := fault(OpWrite, f.Name()); err != nil {
		n, _ := f.f.Write(b[:len(b)/2])
		return n, err
	}
	return f.f.Write(b)
}

// Truncate cuts the file to n bytes.
func (f *File) Truncate(n int64) error {
	if err := fault(OpWrite, f.Name()); err != nil {
		return err
	}
	return f.f.Truncate(n)
}

// Chmod changes the mode.
func (f *File) Chmod(perm fs.FileMode) error {
	if err := fault(OpChmod, f.Name()); err != nil {
		return err
	}
	return f.f.Chmod(perm)
}

// Sync makes the content durable: on macOS down to the medium, by F_FULLFSYNC.
func (f *File) Sync() error {
	if err := fault(OpSync, f.Name()); err != nil {
		return err
	}
	return syncFile(f.f)
}

// Close closes the file, also where it returns an error.
func (f *File) Close() error {
	if !f.written {
		return f.f.Close()
	}
	return cmp.Or(fault(OpClose, f.Name()), f.f.Close())
}

var _ io.ReadWriteSeeker = (*File)(nil)
