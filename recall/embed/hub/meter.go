package hub

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// errFull stops who writes more than was promised.
var errFull = errors.New("too much")

// A meter writes and tells what is left, and keeps apart what the disk refuses.
type meter struct {
	to     io.Writer
	left   int64
	tell   func(left int64)
	failed error
}

func (m *meter) Write(b []byte) (int, error) {
	if int64(len(b)) > m.left {
		return 0, errFull
	}
	n, err := m.to.Write(b)
	m.left -= int64(n)
	m.failed = err
	m.tell(m.left)
	return n, err
}

// isNet says that an error came from a connection.
func isNet(err error) bool {
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)
}
