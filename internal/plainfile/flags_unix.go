//go:build unix

package plainfile

import "syscall"

// nonblock keeps an open of a pipe from waiting for its other end, noFollow fails on a
// link.
const nonblock, noFollow = syscall.O_NONBLOCK, syscall.O_NOFOLLOW
