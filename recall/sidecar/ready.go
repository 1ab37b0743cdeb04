package sidecar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

const (
	// catchUpTime is how long a hook brings words up to date before it searches what is
	// there, half of what it has. Beside a process that does just that it does not try for
	// long: else every prompt and every file would wait a second, for as long as the
	// vectors of a large fetch take (two minutes for 10,000 checkpoints).
	catchUpTime   = time.Second
	catchUpBeside = 50 * time.Millisecond
)

// Soon is a context for who brings words up to date in a hook. If that takes too long the
// background does it, from then on: who waits may be ended before the work comes back.
func (sc *Sidecar) Soon(ctx context.Context) (short context.Context, done func()) {
	short, cancel := context.WithTimeout(ctx, sc.patience(ctx))
	woken := make(chan struct{})
	stop := context.AfterFunc(short, func() {
		defer close(woken)
		if ctx.Err() == nil {
			sc.Wake(ctx)
		}
	})
	return short, func() {
		if !stop() { // it reads the sidecar, which is closed next
			<-woken
		}
		cancel()
	}
}

// patience is how long a hook brings words up to date.
func (sc *Sidecar) patience(ctx context.Context) time.Duration {
	if sc.Index.Busy(ctx) {
		return catchUpBeside
	}
	return catchUpTime
}

// ErrBlind says that nothing was found because nothing could be looked at.
var ErrBlind = errors.New("there is too much knowledge to read at each prompt, and the search index cannot be stored")

// Ready brings the words up to date, and the vectors if there are few to make; quick
// leaves those to the background.
func (sc *Sidecar) Ready(ctx context.Context, quick, checkpoints bool) error {
	short := ctx
	if quick && sc.o.Background != nil {
		var done func()
		short, done = sc.Soon(ctx)
		defer done()
	}
	err := sc.CatchUp(short, checkpoints)
	unwritten := sc.Index.Unwritten()
	switch {
	case err != nil && unwritten != nil: // nobody else can do it either
		return fmt.Errorf("%w: %w", ErrBlind, unwritten)
	case err != nil && ctx.Err() == nil && short.Err() != nil: // too much for who waits
		return nil
	case err != nil:
		return err
	case unwritten != nil:
		sc.complain(fmt.Errorf("the search index cannot be stored: %w", unwritten))
	}
	return sc.Fill(ctx, quick)
}

// Current reports whether the sidecar has all that git has.
func (sc *Sidecar) Current(ctx context.Context) (bool, error) {
	now, err := sc.Store.Repo.Tips(ctx)
	if err != nil {
		return false, err
	}
	was, err := sc.Index.Tips()
	return maps.Equal(was, now), err
}
