package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// ErrBusy says that another process is at it.
var ErrBusy = errors.New("another maintenance is running here; try again when it is done")

// LockUpkeep keeps two from packing at once, and whoever removes objects for
// good from doing so beside one that packs. It waits until ctx ends.
func (bk *Backup) LockUpkeep(ctx context.Context) (*fsx.Lock, error) {
	l, waited, err := fsx.TryLock(ctx, bk.repo.Dir("upkeep.lock"))
	if err != nil {
		if err = fsx.Mkdir(bk.repo.Dir()); err == nil {
			l, waited, err = fsx.TryLock(ctx, bk.repo.Dir("upkeep.lock"))
		}
	}
	if err == nil && l == nil && waited {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", bk.repo.Dir("upkeep.lock"), err)
	}
	return l, nil
}
