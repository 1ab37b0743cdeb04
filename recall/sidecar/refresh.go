package sidecar

import (
	"context"
	"fmt"
)

// Refresh brings the sidecar up to what git has, with all vectors, and tells how many are left.
func (sc *Sidecar) Refresh(ctx context.Context, left func(int)) error {
	end, err := sc.Index.Turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	state, err := sc.gitState(ctx) // as it is before: what changes meanwhile is looked at again
	if err != nil {
		return err
	}
	if err = sc.CatchUp(ctx, true); err == nil {
		err = sc.fillAll(ctx, left)
	}
	if err == nil {
		err = sc.Index.Compact(ctx)
	}
	if ctx.Err() == nil && sc.isThere() == nil {
		sc.Index.Rest(state, sc.o.Now(), err)
	}
	return err
}

// gitState names the state of all refs that the sidecar is made of.
func (sc *Sidecar) gitState(ctx context.Context) (string, error) {
	tips, err := sc.Store.Tips(ctx)
	return fmt.Sprint(tips), err // in the order of names
}

// Wake starts the background for a shelf, unless a process is at it, or the last one left
// nothing to do as things stand.
func (sc *Sidecar) Wake(ctx context.Context) {
	if sc.o.Background == nil || sc.Index.Busy(ctx) {
		return
	}
	if state, err := sc.gitState(ctx); err == nil && sc.Index.Rests(state, sc.o.Now()) {
		return
	}
	sc.o.Background()
}
