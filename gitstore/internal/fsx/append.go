package fsx

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Append adds data to the end of a file in one write, so that what several
// processes add stands one behind the other and never within each other, and
// returns how long the file is then. A missing file is made, for those whom its
// folder is for. Nothing is synced.
//
// Where the file was replaced meanwhile, data is added to the one that has the
// name now as well: who replaces a file carries over what it had when it was
// replaced, so that data may stand there twice, and never not at all.
func Append(name string, data []byte) (size int64, err error) {
	for range 8 {
		size, same, err := appendOnce(name, data)
		if err != nil || same {
			return size, err
		}
	}
	return 0, fmt.Errorf("append to %s: the file keeps being replaced", name)
}

func appendOnce(name string, data []byte) (size int64, same bool, err error) {
	f, err := openEnd(name)
	if err != nil {
		return 0, false, err
	}
	_, err = f.Write(data)
	mine, serr := f.Stat()
	if err = cmp.Or(err, serr, f.Close()); err != nil {
		return 0, false, err
	}
	now, err := Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, false, err
	}
	return mine.Size(), err == nil && os.SameFile(mine, now), nil
}

// openEnd opens a file to append to it.
func openEnd(name string) (*File, error) {
	return openOwn(name, os.O_WRONLY|os.O_APPEND)
}

// openOwn opens a file that only we write, and makes it if it is missing, with the
// folders above it, for those whom its folder is for, whatever the umask.
func openOwn(name string, flags int) (*File, error) {
	flags |= nonblock | noFollow
	for try := 0; ; try++ {
		f, err := OpenFile(name, flags, 0)
		if !errors.Is(err, fs.ErrNotExist) || try == 8 {
			return f, err
		}
		if f, err = OpenFile(name, flags|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
			_ = f.Chmod(as(filepath.Dir(name), 0o644))
			return f, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = Mkdir(filepath.Dir(name))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// ReadEnd reads the last n bytes of a file that only we write, and reports
// whether that is all of it.
func ReadEnd(name string, n int64) (b []byte, whole bool, err error) {
	f, err := OpenFile(name, os.O_RDONLY|nonblock|noFollow, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return nil, false, cmp.Or(err, error(&fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}))
	}
	from := max(0, st.Size()-n)
	b = make([]byte, st.Size()-from)
	got, err := f.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], from == 0, err
}
