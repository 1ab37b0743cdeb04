package fsx

import (
	"io/fs"
	"sync/atomic"
)

// An Op is what is done to a file.
type Op string

// The operations, each named as the system call that a fault stands for.
const (
	OpOpen    Op = "open"    // of what is there, to read
	OpCreate  Op = "create"  // of a file that is to be written
	OpRead    Op = "read"    // of content
	OpWrite   Op = "write"   // of content; a fault writes half of it
	OpSync    Op = "fsync"   // of a file
	OpSyncDir Op = "syncdir" // of a folder
	OpClose   Op = "close"   // a fault closes it all the same
	OpChmod   Op = "chmod"
	OpTouch   Op = "utimes"
	OpStat    Op = "stat"
	OpList    Op = "readdir"
	OpMkdir   Op = "mkdir"
	OpRename  Op = "rename"
	OpLink    Op = "link"
	OpRemove  Op = "unlink"
	OpLock    Op = "flock"
)

// Changes reports whether the operation changes what lies on the disk, or
// whether it stays there.
func (op Op) Changes() bool {
	switch op {
	case OpOpen, OpRead, OpStat, OpList, OpLock:
		return false
	}
	return true
}

var injected atomic.Pointer[func(Op, string) error]

// Inject has f asked before every operation, until restore is called; what it
// returns the operation fails with. It is for tests: f is that of the whole
// process, and may be called by several goroutines at once. Without one an
// operation costs one load more.
func Inject(f func(op Op, path string) error) (restore func()) {
	old := injected.Swap(&f)
	return func() { injected.Store(old) }
}

func fault(op Op, path string) error {
	f := injected.Load()
	if f == nil {
		return nil
	}
	if err := (*f)(op, path); err != nil {
		return &fs.PathError{Op: string(op), Path: path, Err: err}
	}
	return nil
}
