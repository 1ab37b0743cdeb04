//go:build linux || darwin || windows

package fsx

import "strings"

// Ended reports whether a process is surely over: none has its id any more, or another
// one, which did not start when Started said that it did. Of a process of another
// container or another machine nobody here can tell.
func Ended(pid int, started string) bool {
	return strings.HasSuffix(started, here()) && Started(pid) != started
}
