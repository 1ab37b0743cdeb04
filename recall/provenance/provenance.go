// Package provenance tells what was made here from what came from elsewhere, and marks it
// wherever it is shown.
//
// Size: 27 names, a mark for each room that a text leaves for one.
package provenance

import (
	"context"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// A Labeller says whose something is, and how far it may be trusted.
type Labeller struct {
	stores    *stores.Stores
	knowledge *knowledge.Collection
	mine      func() map[string]string // ids of the user's items, by how they look
	refused   func() map[string]string // what the user refused, read once
}

// New returns a Labeller over the rooms that it uses.
func New(stores *stores.Stores, knowledge *knowledge.Collection) *Labeller {
	la := &Labeller{stores: stores, knowledge: knowledge}
	la.mine = sync.OnceValue(la.skeletons)
	knowledge.Admit = la.Admit
	if stores.Store != nil {
		stores.Store.Commits.Refused = func(context.Context) map[string]bool { return la.refusedIDs() }
		stores.Store.Review.RefusesItem = la.refuses
	}
	la.RereadRefusals()
	return la
}

// IsConfirmed reports whether this user stands for all that an item says, also that it is
// to be given with every prompt.
func (la *Labeller) IsConfirmed(k knowledge.Known) bool {
	return la.IsTrusted(k) && (k.Own || !k.Item.Scope.Always || la.stores.Store.Ownership.Vouched(gitstore.AlwaysSum(k.ItemEntry)))
}

// Origin tells who wrote an item as it is. What is in the person's own store is theirs.
func (la *Labeller) Origin(ctx context.Context, id string) (gitstore.ItemOrigin, error) {
	s, k, err := la.knowledge.Keeper(ctx, id)
	if err != nil {
		return gitstore.ItemOrigin{}, err
	}
	from, err := s.Knowledge.ItemOrigin(ctx, k.Key)
	from.Own = from.Own || k.Own
	return from, err
}
