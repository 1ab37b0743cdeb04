package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// backWait bounds the wait for what a gc took, from the end of that gc on: a writer
// needs some milliseconds to write it again, or a second on a machine that is busy.
const backWait = 2 * time.Second

// AwaitCommit waits until a commit is there that a ref points to and that nobody
// has acknowledged yet. A gc that prunes at once may take what it holds away, and
// whoever moved the ref is about to write that again: see verify.
func (led *Ledger) AwaitCommit(ctx context.Context, id string) {
	if id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, repo.GcWait)
	defer cancel()
	var last time.Time // that a gc was seen
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := led.repo.Object(id); !errors.Is(err, git.ErrMissing) {
			return
		}
		if led.repo.GcAtWork() || last.IsZero() {
			last = time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if time.Since(last) > backWait {
			return
		}
	}
}
