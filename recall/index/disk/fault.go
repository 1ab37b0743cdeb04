package disk

import (
	"io/fs"
	"sync/atomic"
)

var injected atomic.Pointer[func(op, path string) error]

// Inject has f asked before every operation, named as its system call, until
// restore is called; what it returns the operation fails with. It is for tests, and
// may be called by several goroutines at once.
func Inject(f func(op, path string) error) (restore func()) {
	old := injected.Swap(&f)
	return func() { injected.Store(old) }
}

func fault(op, path string) error {
	f := injected.Load()
	if f == nil {
		return nil
	}
	if err := (*f)(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}
