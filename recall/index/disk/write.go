package disk

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unsafe"
)

// TempPrefix begins the names of files that are being written.
const TempPrefix = "tmp-"

// Write makes the file name of what fill writes, or leaves all as it was. The folder
// is made if it is missing, for its owner alone.
func Write(name string, fill func(w io.Writer) error) error {
	f, err := create(filepath.Dir(name))
	if err != nil {
		return err
	}
	w := &writer{f}
	b := bufio.NewWriterSize(w, 1<<16)
	err = cmp.Or(fill(b), b.Flush(), closeFile(f))
	if err == nil {
		err = rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func create(dir string) (*os.File, error) {
	if err := fault("create", dir); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, TempPrefix)
	if os.IsNotExist(err) {
		if err = makeFolder(dir); err == nil {
			f, err = os.CreateTemp(dir, TempPrefix)
		}
	}
	return f, err
}

// makeFolder makes a folder and the one that holds it. A repository that was removed
// while somebody worked in the background does not come back as an empty .git.
func makeFolder(dir string) error {
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

func closeFile(f *os.File) error {
	err := fault("close", f.Name())
	return cmp.Or(err, f.Close())
}

func rename(old, new string) error {
	if err := fault("rename", new); err != nil {
		return err
	}
	err := patiently(func() error { return os.Rename(old, new) })
	if st, err2 := os.Lstat(new); err != nil && err2 == nil && st.IsDir() { // all else it takes the place of
		if err = Clear(new); err == nil {
			err = os.Rename(old, new)
		}
	}
	return err
}

// patiently does again what fails while another process has the file open, where
// that matters.
func patiently(do func() error) error {
	err := do()
	for pause := time.Millisecond; err != nil && isBusy(err) && pause < 500*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		err = do()
	}
	return err
}

// Remove removes a file, if the system lets it go.
func Remove(name string) error {
	if err := fault("unlink", name); err != nil {
		return err
	}
	return os.Remove(name)
}

// Read reads a small file whole: more than 1 MiB is none of ours.
func Read(name string) ([]byte, error) {
	f, _, err := open("read", name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}

// A writer writes half of what a fault hits.
type writer struct{ f *os.File }

func (w *writer) Write(b []byte) (int, error) {
	if err := fault("write", w.f.Name()); err != nil {
		n, _ := w.f.Write(b[:len(b)/2])
		return n, err
	}
	return w.f.Write(b)
}

// aligned is a buffer at an address that is a multiple of 8.
func aligned(n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))), n)
}
