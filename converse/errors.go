package converse

import (
	"errors"

	"github.com/git-sage/git-sage/internal/modelhttp"
)

// A BusyError is a model that may answer later.
type BusyError = modelhttp.BusyError

// A RefusedError is a model that will not answer until its user changes something.
type RefusedError struct {
	Why  string
	Cure string
}

func (e *RefusedError) Error() string { return e.Why }

// An unreadError is a model that said no before it read the conversation.
type unreadError struct{ error }

func (e unreadError) Unwrap() error { return e.error }

// IsUnread reports whether an error says that the conversation was not read, so that it took
// no tokens. Behind any other it may have.
func IsUnread(err error) bool {
	_, unread := errors.AsType[unreadError](err)
	_, refused := errors.AsType[*RefusedError](err)
	return unread || refused
}

// An unknownError is a server that understands another request, maybe.
type unknownError struct{ error }

func (unknownError) Is(target error) bool { return target == ErrUnknownOption }

// ErrUnknownOption is a request that the server does not understand.
var ErrUnknownOption = errors.New("the endpoint does not understand the request")

// Clipped is the beginning of what a program said, on one line.
func Clipped(s string) string { return modelhttp.Clipped(s) }
