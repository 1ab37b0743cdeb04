//go:build !unix

package plainfile

// Here a link is seen before the file is opened, and not while it is.
const nonblock, noFollow = 0, 0
