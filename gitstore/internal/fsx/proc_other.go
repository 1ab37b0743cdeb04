//go:build !linux && !darwin && !windows

package fsx

import "time"

// Started names the run of a process, or is "" where that is not known.
func Started(pid int) string { return "" }

// Ended reports whether a process is surely over; here nobody can tell.
func Ended(pid int, started string) bool { return false }

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(pid int) int { return 0 }

// Process tells of a process what it is called, and when it began; here neither is known.
// ok is false if none has this id.
func Process(pid int) (name string, began time.Time, ok bool) { return "", began, Alive(pid) }
