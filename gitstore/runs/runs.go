// Package runs tells one run of a process from all others, and keeps folders of small files
// that are noted for a run and forgotten behind its end.
package runs

import "github.com/git-sage/git-sage/gitstore/internal/fsx"

// Name names the run of a process: its start, and on Linux which run of the kernel and
// which container it is in. No other process that ever has this id has the same name. It is
// "" if there is no such process, or where the system does not tell.
func Name(pid int) string { return fsx.Started(pid) }

// Ended reports whether a run of a process that [Name] named is surely over.
func Ended(pid int, name string) bool { return fsx.Ended(pid, name) }

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(pid int) int { return fsx.Parent(pid) }
