//go:build unix || windows

package fsx

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
)

// A Claim is a file that only one process has at a time: it is locked as long as the
// process lives, so that nobody has to believe a process id or a clock. What becomes of
// it is said by Finish or Release; who is killed before has released it.
type Claim struct {
	f     *File
	name  string // of the file as long as it is claimed
	given string // by which it was claimed
}

// maxClaim bounds what a claimed file may hold, in bytes.
const maxClaim = 1 << 20

// Take claims a file and returns what it holds. Where another process, or this one, has
// claimed it already, the error is ErrTaken, and where it is gone, or was finished, one
// that is fs.ErrNotExist.
//
// Where files cannot be locked it is renamed instead, so that still one gets it: then
// who is killed has finished it.
func Take(name string) (*Claim, []byte, error) {
	f, err := OpenFile(name, os.O_RDWR|nonblock|noFollow, 0)
	if err != nil {
		return nil, nil, err
	}
	c := &Claim{f: f, name: name, given: name}
	b, err := c.take()
	if err != nil {
		unlock(f.f)
		_ = f.Close()
		return nil, nil, err
	}
	return c, b, nil
}

// ErrTaken says that a file is claimed.
var ErrTaken = errors.New("held by another process")

func (c *Claim) take() ([]byte, error) {
	err := fault(OpLock, c.name)
	if err == nil {
		err = lockNow(c.f.f)
	}
	switch {
	case err != nil && isLocked(err):
		return nil, ErrTaken
	case err != nil:
		c.name += "." + rand.Text()[:8] + ".taken"
		if err := Rename(c.given, c.name); err != nil {
			return nil, err
		}
	}
	st, err := c.f.Stat()
	if err != nil {
		return nil, err
	}
	now, err := Lstat(c.name)
	if err != nil {
		return nil, err
	}
	if st.Size() == 0 || !os.SameFile(st, now) { // finished by who had it before
		if os.SameFile(st, now) { // and was killed then
			_ = Remove(c.name)
		}
		return nil, &fs.PathError{Op: "claim", Path: c.name, Err: fs.ErrNotExist}
	}
	return io.ReadAll(io.LimitReader(c.f, maxClaim))
}

// Finish removes the file: nobody gets it again. What cannot be removed is emptied,
// which comes first, so that who is killed in between has finished it, too.
func (c *Claim) Finish() error {
	err := c.f.Truncate(0)
	removed := Remove(c.name) // on Windows only once it is closed
	unlock(c.f.f)
	closed := c.f.Close()
	if removed != nil {
		removed = Remove(c.name)
	}
	if err == nil || removed == nil {
		return nil
	}
	return cmp.Or(removed, err, closed)
}

// Release leaves the file for the next one.
func (c *Claim) Release() {
	if c.name != c.given {
		_ = Rename(c.name, c.given)
	}
	unlock(c.f.f)
	_ = c.f.Close()
}
