package codeindex

import (
	"cmp"
	"context"

	"github.com/git-sage/git-sage/recall/index/disk"
)

// UpdateInTurn is Update for those that nobody waits for, and of which many come at once: a
// rebase calls a hook for each commit. One runs and one waits for it; any other one returns
// [ErrBusy], for the one that waits has not yet looked at the files.
func (x *Index) UpdateInTurn(ctx context.Context, q UpdateRequest) (Report, error) {
	now, cancel := context.WithCancel(ctx)
	cancel()
	waits, err := x.lock(now, "next.lock")
	if err != nil {
		return Report{}, err
	}
	runs, err := x.lock(ctx, "turn.lock")
	waits.Unlock()
	if err != nil {
		return Report{}, err
	}
	defer runs.Unlock()
	return x.Update(ctx, q)
}

// lock takes a lock as long as a context lasts, and fails with [ErrBusy] if another process
// keeps it.
func (x *Index) lock(ctx context.Context, name string) (*disk.Lock, error) {
	l, err := x.folder.Lock(ctx, prefix+name)
	if l == nil {
		return nil, cmp.Or(err, ErrBusy)
	}
	return l, nil
}
