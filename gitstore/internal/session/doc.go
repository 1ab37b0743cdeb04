// Package session remembers where a session stands, what it was given, and what waits for it.
package session

import (
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Memory is what is remembered of the session on whose behalf the store is open.
type Memory struct {
	files

	Followed atomic.Pointer[func() Following] // the line that goes with git's branch
	Refollow func()                           // looks for it anew
}

// New returns a Memory over the rooms that it uses.
func New(repo *repo.Repo, rewritten *rewritten.Map) *Memory {
	return &Memory{files: files{repo, rewritten}}
}
