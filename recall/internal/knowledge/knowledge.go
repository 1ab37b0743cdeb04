// Package knowledge reads items, notes and skills as the memory knows them: those of the
// repository and those of the user together.
package knowledge

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/recall/internal/stores"
)

// A Collection has the items of all stores.
type Collection struct {
	stores *stores.Stores

	// Admit returns items as whoever asks may see them: all that a person wants to, and an agent
	// what it may be told of. Everything here that hands out items for reading passes through it;
	// nil changes nothing. What it withholds has Withheld.
	Admit func(ctx context.Context, list []Known) []Known
}

// New returns a Collection over the rooms that it uses.
func New(stores *stores.Stores) *Collection {
	return &Collection{stores: stores}
}

// admitted are the items of a list that may be seen, and how many are withheld.
func (kn *Collection) admitted(ctx context.Context, list []Known) (out []Known, withheld int) {
	if kn.Admit == nil || len(list) == 0 {
		return list, 0
	}
	out = slices.DeleteFunc(kn.Admit(ctx, list), func(k Known) bool { return len(k.Withheld) > 0 })
	return out, len(list) - len(out)
}
