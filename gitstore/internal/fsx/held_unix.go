//go:build unix

package fsx

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// A Held is a file that tells others that its makers are at work: it is locked as
// long as one process that has it open lives, this one or a child that it was
// given to. The kernel gives the lock up for them, however they end; no process
// id has to be believed.
type Held struct{ f *File }

// Hold makes a file that does not exist yet and locks it.
func Hold(name string) (*Held, error) {
	f, err := OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|noFollow, 0o644)
	if err != nil {
		return nil, err
	}
	err = fault(OpLock, name)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	h := &Held{f}
	if err == nil && !h.named() {
		err = fs.ErrNotExist
	}
	if err != nil { // no locks here, or one who looks for left files was faster
		_ = Remove(name)
		return nil, cmp.Or[error](&fs.PathError{Op: "lock", Path: name, Err: err}, f.Close())
	}
	return h, nil
}

func (h *Held) named() bool {
	var st syscall.Stat_t
	return syscall.Fstat(int(h.f.Fd()), &st) == nil && st.Nlink > 0
}

// File is for a child to inherit.
func (h *Held) File() *os.File { return h.f.f }

// Write writes what others may read. It is written twice: a power cut leaves the
// file and not its content, but a symbolic link whole, as part of the folder. Where
// there can be none, as for more than 4 kB, the file has to do.
func (h *Held) Write(b []byte) error {
	if len(b) < maxLink && fault(OpLink, h.link()) == nil {
		_ = os.Symlink(string(b), h.link())
	}
	_, err := h.f.Write(b)
	return err
}

// LinkSuffix ends the name of the link that goes with a file.
const LinkSuffix = ".is"

const maxLink = 4096

func (h *Held) link() string { return h.f.Name() + LinkSuffix }

// Remove removes the file and gives it up. It may be called on nil, and twice.
func (h *Held) Remove() {
	if h == nil || h.f == nil {
		return
	}
	_ = Remove(h.link())
	_ = Remove(h.f.Name())
	_ = h.f.Close()
	h.f = nil
}

// ReadHeld reads a file that Hold made and reports whether its makers live. Where
// they do not, left is the file, which the caller holds now.
func ReadHeld(name string) (b []byte, st fs.FileInfo, left *Held, err error) {
	f, err := OpenFile(name, os.O_RDONLY|nonblock|noFollow, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	h := &Held{f}
	dead := fault(OpLock, name) == nil && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	if st, err = f.Stat(); err == nil && (!st.Mode().IsRegular() || st.Size() > maxHeld) {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("not a file of ours")}
	}
	if err == nil {
		b = make([]byte, st.Size())
		_, err = f.ReadAt(b, 0)
	}
	if err == nil && len(bytes.Trim(b, "\x00")) == 0 {
		if to, lerr := os.Readlink(h.link()); lerr == nil {
			b = []byte(to)
		}
	}
	if dead && err == nil && h.named() {
		return b, st, h, nil
	}
	return b, st, nil, cmp.Or(err, f.Close())
}

// maxHeld bounds what ReadHeld reads, in bytes: a transaction of 10,000 refs.
const maxHeld = 4 << 20

// Release gives the file up and leaves it there. It may be called on nil, and
// behind Remove.
func (h *Held) Release() {
	if h != nil && h.f != nil {
		_ = h.f.Close()
		h.f = nil
	}
}

// Name is the file's.
func (h *Held) Name() string { return h.f.Name() }
