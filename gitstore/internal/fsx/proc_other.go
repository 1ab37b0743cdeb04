//go:build !linux && !darwin && !windows

package fsx

// Started names the run of a process, or is "" where that is not known.
func Started(pid int) string { return "" }

// Ended reports whether a process is surely over; here nobody can tell.
func Ended(pid int, started string) bool { return false }

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(pid int) int { return 0 }
