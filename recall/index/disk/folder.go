package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// ErrUnwritable says that nothing can be written: the disk is full or read-only, or the
// folder is another's.
var ErrUnwritable = errors.New("cannot be written")

// A Folder holds the files of an index. Where nothing can be written it can go on in
// memory, over what is on disk; see Withhold.
type Folder struct {
	dir string

	mu   sync.Mutex
	over map[string][]byte // what is kept in memory; nil is removed
}

// NewFolder is the folder dir, which may not be there yet; "" is one in memory alone.
func NewFolder(dir string) *Folder {
	d := &Folder{dir: dir}
	if dir == "" {
		d.over = map[string][]byte{}
	}
	return d
}

// Dir is its path.
func (d *Folder) Dir() string { return d.dir }

// Path is that of a file in it.
func (d *Folder) Path(name string) string { return filepath.Join(d.dir, name) }

// Withhold keeps in memory what is written from now on, and forgets it with the Folder.
func (d *Folder) Withhold() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over == nil {
		d.over = map[string][]byte{}
	}
}

// Withheld reports whether it does.
func (d *Folder) Withheld() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over != nil
}

// kept is what memory has of a file.
func (d *Folder) kept(name string) (b []byte, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok = d.over[name]
	return b, ok || d.dir == ""
}

func (d *Folder) keep(name string, b []byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over != nil {
		d.over[name] = b
	}
	return d.over != nil
}

func missing(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Read is [Read] of a file in it.
func (d *Folder) Read(name string) ([]byte, error) {
	switch b, ok := d.kept(name); {
	case !ok:
		return Read(d.Path(name))
	case b == nil:
		return nil, missing("read", d.Path(name))
	default:
		return b, nil
	}
}

// Open is [Open] of a file in it.
func (d *Folder) Open(name string) (*File, error) {
	switch b, ok := d.kept(name); {
	case !ok:
		return Open(d.Path(name))
	case b == nil:
		return nil, missing("open", d.Path(name))
	default:
		return &File{name: d.Path(name), size: int64(len(b)), data: b, kept: true}, nil
	}
}

// Write is [Write] of a file in it. The error is an ErrUnwritable.
func (d *Folder) Write(name string, fill func(w io.Writer) error) error {
	if !d.Withheld() {
		return unwritable(Write(d.Path(name), fill))
	}
	var b bytes.Buffer
	err := fill(&b)
	if err == nil {
		d.keep(name, b.Bytes())
	}
	return err
}

// Remove is [Remove] of a file in it.
func (d *Folder) Remove(name string) error {
	if d.keep(name, nil) {
		return nil
	}
	return Remove(d.Path(name))
}

// Lock is [TryLock] of a file in it. What is in memory needs none, and gets one. An
// error is an ErrUnwritable.
func (d *Folder) Lock(ctx context.Context, name string) (*Lock, error) {
	if d.Withheld() {
		return &Lock{}, nil
	}
	l, err := TryLock(ctx, d.Path(name))
	return l, unwritable(err)
}

func unwritable(err error) error {
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return err
}

// Clear removes what stands in the place of a file, a folder with all that is in it
// too: in the folder of the index there is nothing that git does not have. A link goes,
// and not what it leads to.
func Clear(path string) error {
	if err := fault("unlink", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}
