// Package tracer runs a program and all that it starts one system call at a
// time, and at the n-th that writes kills it, makes the call fail, or looks at
// the disk.
//
// It counts the calls of all processes and threads together. strace counts those
// of each thread, and a Go program's thread is a different one every time: with it
// only the git children could be hit at a chosen place.
//
// Calls that write are those that create, change, name, sync or remove files, and
// writes to pipes and standard output: between two of them nothing that a later
// process could see changes. A close changes nothing and is not counted.
package tracer

import "strings"

// What happens at the call that a Plan names.
const (
	Count  = "count"  // nothing: only count
	Self   = "self"   // kill the process that makes the call
	All    = "all"    // kill every process
	Parent = "parent" // kill the first process; a child goes on
	Look   = "look"   // run Plan.Hook while all stand still, then kill all
)

// A Plan says what to do, and where.
type Plan struct {
	At    int      // which call that writes, or the next that Do applies to, from 1; 0 for none
	Do    string   // one of the constants, or the name of an error: ENOSPC, EIO, EACCES, EROFS
	Only  string   // count calls of this name only, such as fsync; "" for all
	Hook  []string // a command for Look
	Stays bool     // the error stays: every further call fails as well
}

// A Report says what was seen.
type Report struct {
	Calls  []string // every call that writes: "git-sage fsync", "git rename .../main.lock"
	Seen   int      // calls that were counted
	Hit    bool     // the call was reached
	At     string   // which it was
	Killed int      // processes killed
	Code   int      // exit status of the first process; -1 if it was killed
}

// Applies reports whether a call, as a Report names it, can end as do says: a full
// disk removes files as ever, and no disk's trouble closes a pipe or the terminal.
func Applies(do, call string) bool {
	words := strings.Fields(call)
	name, path := words[len(words)-2], words[len(words)-1]
	device := strings.HasPrefix(path, "dev/") || strings.Contains(path, ":[")
	frees := strings.HasPrefix(name, "unlink") || name == "rmdir" || strings.Contains(name, "chmod") || name == "utimensat"
	opens := strings.HasPrefix(name, "open") || strings.HasPrefix(name, "mkdir") || strings.HasPrefix(name, "rename") || strings.HasPrefix(name, "link")
	switch do {
	case Count, Self, All, Parent, Look:
		return true
	case "ENOSPC", "EDQUOT":
		return !device && !frees
	case "EACCES":
		return !device && (opens || frees)
	case "EMFILE":
		return strings.HasPrefix(name, "open")
	}
	return !device
}
