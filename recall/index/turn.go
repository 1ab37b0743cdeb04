package index

import (
	"context"
	"errors"
	"fmt"
)

// Turn lets one process at a time do the long work, which is to make the vectors; the
// others get ErrBusy and need not do it. Searches and saves do not wait for it. The
// turn ends with the process at the latest.
func (x *Index) Turn(ctx context.Context) (end func(), err error) {
	lock, err := x.docs.Lock(done(ctx), "turn.lock")
	if err == nil && lock == nil {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return lock.Unlock, nil
}

// Busy reports whether a process has the turn.
func (x *Index) Busy(ctx context.Context) bool {
	end, err := x.Turn(ctx)
	if err == nil {
		end()
	}
	return errors.Is(err, ErrBusy)
}
