// Package follow finds the line that goes with a branch of git.
package follow

import (
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

	bondFiles
	ancestry
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

		bondFiles: bondFiles{branches{repo}},
		ancestry:  ancestry{Within: within, repo: repo},
	}
}
