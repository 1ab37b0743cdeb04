package gitstore

import "github.com/git-sage/git-sage/gitstore/internal/fsx"

// ProcessRun names the run of a process: its start, and on Linux which run of the kernel
// and which container it is in. No other process that ever has this id has the same name.
// It is "" if there is no such process, or where the system does not tell.
func ProcessRun(pid int) string { return fsx.Started(pid) }

// ProcessEnded reports whether a run of a process that ProcessRun named is surely over.
func ProcessEnded(pid int, run string) bool { return fsx.Ended(pid, run) }

// FileSystem names the kind of file system that a path lies on, "" if nobody tells, and
// says whether this machine alone writes to it.
func FileSystem(path string) (name string, local bool) { return fsx.Kind(path) }
