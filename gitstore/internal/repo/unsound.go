package repo

import (
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

// An UnsoundError says that git lacks something of the memory, or holds something that
// does not belong there. A person runs a check.
type UnsoundError struct{ err error }

func (e *UnsoundError) Error() string { return e.err.Error() }
func (e *UnsoundError) Unwrap() error { return e.err }

// Remedies is a check of the whole memory.
func (e *UnsoundError) Remedies() []remedy.Remedy { return []remedy.Remedy{remedy.Check.On()} }

// Unsound marks err, unless it is marked already.
func Unsound(err error) error {
	var marked *UnsoundError
	if errors.As(err, &marked) {
		return err
	}
	return &UnsoundError{err}
}

// Unsoundf is Unsound of a new error.
func Unsoundf(format string, args ...any) error { return Unsound(fmt.Errorf(format, args...)) }

// A NotFetchedError says that a partial clone left something out.
type NotFetchedError struct {
	Why     string
	Command string // what fetches it
}

func (e *NotFetchedError) Error() string { return e.Why + "; run: " + e.Command }
