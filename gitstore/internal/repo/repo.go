// Package repo opens one repository and reads it: its refs and objects, and who writes to it.
// What is plain to see is looked up in files; anything else is asked of git. Where it lies,
// what is configured and the user's own files are rooms of their own below.
//
// Size: 38 names and 71 methods, for it is all that every other room asks of a repository.
package repo

import (
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Repo is one repository, opened on behalf of one person or session: where it lies, its
// settings, and its refs and objects as they are read.
type Repo struct {
	Options Options
	Git     *git.Runner
	end     func() // ends every git that is still at work
	Batch   *git.Batch
	Objects loose.Store
	trees   treeCache
	Where   discover.Place
	*gitconfig.Settings
	*worktree.UserFiles
	Code       func() sage.CodeState // where the user's code stands
	dirty      func() bool
	FolderHere func() folderLine            // outside of git
	mu         sync.Mutex                   // orders the saves of this process
	Say        atomic.Pointer[func(string)] // see Tell
	Looks      sync.WaitGroup               // at refs, which may note something at their end
}
