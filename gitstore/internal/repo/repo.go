// Package repo opens one repository and reads it: where it lies, what is configured, its
// refs and objects. What is plain to see is looked up in files; anything else is asked of
// git.
//
// Size: 3165 lines, 51 names and 100 methods, for it is all that every other room asks of a
// repository.
package repo

import (
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Repo is one repository, opened on behalf of one person or session: where it lies, its
// settings, and its refs and objects as they are read.
type Repo struct {
	Options    Options
	Git        *git.Runner
	end        func() // ends every git that is still at work
	Batch      *git.Batch
	Objects    loose.Store
	trees      treeCache
	Where      Discovery
	Settings   func() (*settings, error)
	Code       func() sage.CodeState // where the user's code stands
	dirty      func() bool
	over       func(key string) (string, bool)
	FolderHere func() folderLine            // outside of git
	mu         sync.Mutex                   // orders the saves of this process
	Say        atomic.Pointer[func(string)] // see Tell
	Looks      sync.WaitGroup               // at refs, which may note something at their end
}
