// Package follow finds the line that goes with a branch of git.
//
// Size: 64 methods, one for each sign that a branch and a line belong together.
package follow

import (
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// A Follower knows which line goes with the branch that is checked out.
type Follower struct {
	repo     *repo.Repo
	session  *session.Memory
	commits  *commits.Commits
	history  *history.History
	contents *contents.Tree

	unsure atomic.Bool // whether a look at the user's history took too long
}

// New returns a Follower over the rooms that it uses.
func New(
	repo *repo.Repo,
	session *session.Memory,
	commits *commits.Commits,
	history *history.History,
	contents *contents.Tree,
) *Follower {
	return &Follower{
		repo:     repo,
		session:  session,
		commits:  commits,
		history:  history,
		contents: contents,
	}
}
