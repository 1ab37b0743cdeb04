package sidecar

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/recall/index"
)

// Refresh brings the sidecar up to what git has, with all vectors, and tells how many are left.
// Who saves meanwhile finds it at work and begins nothing: it goes on until git is as it was
// when it began to look.
func (sc *Sidecar) Refresh(ctx context.Context, left func(int)) error {
	state, err := sc.refresh(ctx, left)
	for err == nil {
		now, err2 := sc.gitState(ctx) // once it is at work no more
		if err = err2; err != nil || now == state {
			return err
		}
		if state, err = sc.refresh(ctx, left); errors.Is(err, index.ErrBusy) { // who has it now does the rest
			return nil
		}
	}
	return err
}

// refresh is Refresh to the state of git that it returns.
func (sc *Sidecar) refresh(ctx context.Context, left func(int)) (state string, err error) {
	end, err := sc.Index.Turn(ctx)
	if err != nil {
		return "", err
	}
	defer end()
	if state, err = sc.gitState(ctx); err != nil {
		return "", err
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
	return state, err
}

// gitState names the state of all refs that the sidecar is made of.
func (sc *Sidecar) gitState(ctx context.Context) (string, error) {
	tips, err := sc.Store.Repo.Tips(ctx)
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
