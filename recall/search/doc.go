// Package search finds checkpoints and items for a query, and ranks them by the settings.
package search

import (
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// A Searcher answers queries of somebody who searches.
type Searcher struct {
	stores    *stores.Stores
	knowledge *knowledge.Collection
	session   *session.Session
}

// New returns a Searcher over the rooms that it uses.
func New(stores *stores.Stores, knowledge *knowledge.Collection, session *session.Session) *Searcher {
	return &Searcher{stores: stores, knowledge: knowledge, session: session}
}
