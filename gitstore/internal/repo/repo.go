// Package repo opens one repository and reads its refs. Where it lies, what is configured,
// who works on it, its objects and the user's own files are rooms of their own below, which a
// Repo embeds.
//
// Size: 71 methods and 27 names, for refs, locks, folders and the state of the code are asked of one that
// is open.
package repo

import (
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/objects"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Repo is one repository, opened on behalf of one person or session: where it lies, its
// settings, and its refs and objects as they are read.
type Repo struct {
	Options Options
	Git     *git.Runner
	end     func() // ends every git that is still at work
	Where   discover.Place
	objects.Reader
	*identity.People
	*gitconfig.Settings
	*worktree.UserFiles
	Code       func() sage.CodeState // where the user's code stands
	dirty      func() bool
	FolderHere func() folderLine            // outside of git
	mu         sync.Mutex                   // orders the saves of this process
	Say        atomic.Pointer[func(string)] // see Tell
	Looks      sync.WaitGroup               // at refs, which may note something at their end
}
