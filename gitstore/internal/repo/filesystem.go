package repo

import "github.com/git-sage/git-sage/gitstore/internal/fsx"

// FileSystem names the kind of file system that a path lies on, "" if nobody tells, and
// says whether this machine alone writes to it.
func FileSystem(path string) (name string, local bool) { return fsx.Kind(path) }
