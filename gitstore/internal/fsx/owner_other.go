//go:build !unix

package fsx

import "os"

// Alive reports whether a process with this id exists.
func Alive(pid int) bool {
	_, err := os.FindProcess(pid)
	return err == nil
}

// Mine reports whether the user of this process owns path; here nobody can tell.
func Mine(string) (dev uint64, ok bool) { return 0, false }

// Writable returns why this process may not write to a folder; here nobody can tell.
func Writable(string) error { return nil }

// Inode tells one file from another that took its name; here nothing does.
func Inode(os.FileInfo) uint64 { return 0 }
