// Package knowledge reads items, notes and skills as the memory knows them: those of the
// repository and those of the user together.
package knowledge

import "github.com/git-sage/git-sage/recall/internal/stores"

// A Collection has the items of all stores.
type Collection struct {
	stores *stores.Stores
}

// New returns a Collection over the rooms that it uses.
func New(stores *stores.Stores) *Collection {
	return &Collection{stores: stores}
}
