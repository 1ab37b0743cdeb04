package converse

import (
	"errors"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A BusyError is a model that may answer later.
type BusyError struct {
	After time.Duration // at the earliest; 0 is not known
	Why   string
}

func (e *BusyError) Error() string { return e.Why }

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

// ErrUnknownOption is a server that understands another request, maybe.
var ErrUnknownOption = errors.New("the endpoint does not understand the request")

// Clipped is the beginning of what a program said, on one line.
func Clipped(s string) string {
	const most = 200
	return cut.Runes(legible.OneLine(strings.Join(strings.Fields(s), " ")), most)
}
