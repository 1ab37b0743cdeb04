package index

import (
	"errors"

	"github.com/git-sage/git-sage/recall/index/disk"
)

// writing calls do. If nothing can be written, because the disk is full or read-only,
// it does so again in memory: what is asked of this index from then on is answered by
// it and what is on disk together, and nobody else sees it.
func (x *Index) writing(do func() error) error {
	err := do()
	if errors.Is(err, disk.ErrUnwritable) && !x.docs.Withheld() {
		x.mu.Lock()
		x.unwritten = err
		x.mu.Unlock()
		x.docs.Withhold()
		err = do()
	}
	return err
}

// Try keeps in memory what is written from now on, and forgets it with the index: who asks
// this one sees it, and nobody else does.
func (x *Index) Try() { x.docs.Withhold() }

// Unwritten is why what is new is kept in memory and forgotten with the index; nil if
// it is on disk.
func (x *Index) Unwritten() error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.unwritten
}
