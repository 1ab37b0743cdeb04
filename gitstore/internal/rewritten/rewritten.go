// Package rewritten knows what purges replaced by what: the map from old ids to new ones.
package rewritten

import (
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Map says what purges put in the place of what, by their records.
type Map struct {
	repo *repo.Repo

	purgeMu    sync.Mutex // guards purgeIndex
	purgeIndex purgeIndex
}

// New returns a Map over the rooms that it uses.
func New(repo *repo.Repo) *Map {
	return &Map{repo: repo}
}
