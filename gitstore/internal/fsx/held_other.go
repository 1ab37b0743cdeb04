//go:build !unix

package fsx

import (
	"errors"
	"io/fs"
	"os"
)

// A Held is a file that tells others that its makers are at work. There is none
// where the end of a process does not give its locks up to a child's.
type Held struct{}

// Hold has nothing to hold with here.
func Hold(name string) (*Held, error) {
	return nil, &fs.PathError{Op: "lock", Path: name, Err: errors.ErrUnsupported}
}

// LinkSuffix ends the name of the link that goes with a file.
const LinkSuffix = ".is"

// File is for a child to inherit.
func (h *Held) File() *os.File { return nil }

// Write writes what others may read.
func (h *Held) Write([]byte) error { return errors.ErrUnsupported }

// Remove removes the file and gives it up.
func (h *Held) Remove() {}

// Release gives the file up and leaves it there.
func (h *Held) Release() {}

// ReadHeld reads a file that Hold made and reports whether its makers live.
func ReadHeld(name string) (b []byte, st fs.FileInfo, left *Held, err error) {
	return nil, nil, nil, &fs.PathError{Op: "lock", Path: name, Err: errors.ErrUnsupported}
}

// Name is the file's.
func (h *Held) Name() string { return "" }
