// Package plainfile opens, reads and writes small files of their owner's alone, which
// others may have put something else in the place of. A link there is not followed, also
// one that comes while we look.
package plainfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrOther says that something else is in the place of a file or folder of ours. It is
// [fs.ErrNotExist], too.
var ErrOther = fmt.Errorf("not ours: %w", fs.ErrNotExist)

// An otherError names it, and says what to type to clear it.
type otherError struct{ path, what string }

func (e *otherError) Error() string {
	cure := Removal(e.path)
	if e.what == aFolder { // somebody may miss it
		cure = "mv " + quoted(e.path) + " " + quoted(e.path+".old")
	}
	return fmt.Sprintf("'%s' is %s, and nothing of git-sage's: %s", e.path, e.what, cure)
}

const aFolder = "a folder"

func (e *otherError) Unwrap() error { return ErrOther }

func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// other is the error for what should be something else, by its mode.
func other(path string, m fs.FileMode) error {
	what := "no plain file"
	switch {
	case m&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case m.IsDir():
		what = aFolder
	case m.IsRegular():
		what = "a file"
	}
	return &otherError{path, what}
}

// Open opens a regular file as [os.OpenFile] does, for its owner alone where it is made.
// It follows no link and waits for no pipe: what is no regular file is [ErrOther].
func Open(file string, flag int) (*os.File, error) {
	if noFollow == 0 {
		if err := Check(file); errors.Is(err, ErrOther) {
			return nil, err
		}
	}
	f, err := os.OpenFile(file, flag|nonblock|noFollow, 0o600)
	if err != nil {
		if other := Check(file); errors.Is(other, ErrOther) {
			return nil, other
		}
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = other(file, st.Mode())
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Check returns [ErrOther] if what has the name of a file is no regular one.
func Check(file string) error {
	st, err := os.Lstat(file)
	if err == nil && !st.Mode().IsRegular() {
		err = other(file, st.Mode())
	}
	return err
}

// Read reads a regular file of at most so many bytes. A link, a pipe or a longer file is
// [ErrOther].
func Read(file string, most int64) ([]byte, error) {
	f, err := Open(file, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return atMost(f, most)
}

// ReadLinked is Read of a file that its owner writes and may keep elsewhere, as a link: it
// is followed, and nothing is ever written through it.
func ReadLinked(file string, most int64) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return atMost(f, most)
}

func atMost(f *os.File, most int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, other(f.Name(), st.Mode())
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = &otherError{f.Name(), fmt.Sprintf("longer than %d bytes", most)}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// CheckFolder returns [ErrOther] if a folder below base, or one between them, is something
// else: a link leads among files that are not ours. Base itself may be a link.
func CheckFolder(base, dir string) error {
	base, dir = filepath.Clean(base), filepath.Clean(dir)
	up := filepath.Dir(dir)
	if dir == base || dir == up {
		return nil
	}
	if err := CheckFolder(base, up); err != nil {
		return err
	}
	st, err := os.Lstat(dir)
	if err == nil && !st.IsDir() {
		err = other(dir, st.Mode())
	}
	return err
}

// MakeFolder makes a folder below base, and those between them, for their owner alone.
// [ErrOther] says that something else is in the place of one.
func MakeFolder(base, dir string) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(base)), 0o700); err != nil {
		return err
	}
	return MakeFolderIn(base, dir)
}

// MakeFolderIn is MakeFolder where base is a folder in a git directory: if that is gone, it
// was moved or deleted, and is not made anew.
func MakeFolderIn(base, dir string) error {
	if err := CheckFolder(base, dir); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrOther) {
		return err
	}
	return makeFrom(filepath.Clean(base), filepath.Clean(dir))
}

func makeFrom(base, dir string) error {
	if up := filepath.Dir(dir); dir != base && dir != up {
		if err := makeFrom(base, up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Write writes a file whole: whoever reads it sees the old or the new.
func Write(file string, b []byte) error {
	return Replace(file, b, Replacement{Temp: filepath.Base(file) + ".tmp*"})
}

// A Replacement is how a file is written whole.
type Replacement struct {
	Temp    string       // what the new file is called before, as [os.CreateTemp] takes it
	Mode    fs.FileMode  // 0 is for its owner alone
	Durable bool         // it is still there after a power cut
	Check   func() error // asked last; an error leaves the old file; nil allows it
}

// Replace writes a file whole, as r says: whoever reads it sees the old or the new.
func Replace(file string, b []byte, r Replacement) error {
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, r.Temp)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if r.Mode != 0 {
		err = errors.Join(err, f.Chmod(r.Mode))
	}
	if r.Durable {
		err = errors.Join(err, f.Sync())
	}
	err = errors.Join(err, f.Close())
	if err == nil && r.Check != nil {
		err = r.Check()
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	if r.Durable {
		return SyncDir(dir)
	}
	return nil
}

// SyncDir makes the names in a folder durable, where the system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync() // some file systems cannot
	return d.Close()
}
