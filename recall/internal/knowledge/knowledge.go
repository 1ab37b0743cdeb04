// Package knowledge reads items, notes and skills as the memory knows them: those of the
// repository and those of the user together.
package knowledge

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/internal/lists"
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

// Refused stands in Known.Withheld for what the user refused, which nobody is told of.
const Refused = "refused"

// IsRefused reports whether the user refused what an item says, as Admit found it.
func (k Known) IsRefused() bool { return slices.Contains(k.Withheld, Refused) }

// admitted are the items of a list that may be seen, and how many are withheld for being suspect.
func (kn *Collection) admitted(ctx context.Context, list []Known) (out []Known, withheld int) {
	if kn.Admit == nil || len(list) == 0 {
		return list, 0
	}
	for _, k := range kn.Admit(ctx, list) {
		switch {
		case len(k.Withheld) == 0:
			out = append(out, k)
		case !k.IsRefused():
			withheld++
		}
	}
	return out, withheld
}

// OursFirst puts what nobody here stands for behind the rest: of a long list the beginning is
// shown, and anybody can send any number.
func (kn *Collection) OursFirst(list []Known) []Known {
	return lists.PutFirst(list, func(k Known) bool {
		return k.Own || k.IsAsLeft() || kn.stores.Store.Knowledge.IsOwnItem(k.ItemEntry)
	})
}
