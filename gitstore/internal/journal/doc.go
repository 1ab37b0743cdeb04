// Package journal keeps the moves of our refs that were acknowledged, so that a ref that
// lost something is noticed.
package journal

import (
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Journal is the list of the moves of our refs that were acknowledged.
type Journal struct {
	repo *repo.Repo
}

// New returns a Journal over the rooms that it uses.
func New(repo *repo.Repo) *Journal {
	return &Journal{repo: repo}
}
