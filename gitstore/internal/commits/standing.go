package commits

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// HoldsOne returns an error unless tip, the value of ref, is a commit of ours that
// can be read. A save that continued anything else would carry a stranger's history
// along, or none.
func (cs *Commits) HoldsOne(ctx context.Context, ref, tip string) error {
	gone, err := cs.IsGone(ctx, tip)
	if gone {
		err = repo.Unsoundf("'%s' is at %s, which cannot be read as a checkpoint", refname.ShortRef(ref), record.Short(tip))
	}
	return err
}

// IsGone reports whether no commit of ours with this id can be read. That it cannot
// be told, for want of descriptors, processes or memory, is an error and means no
// such thing.
//
// While a gc works, what it puts elsewhere may be nowhere for a moment. What a prune took
// comes back from the backup.
func (cs *Commits) IsGone(ctx context.Context, id string) (bool, error) {
	_, err := cs.CommitRecord(id)
	if errors.Is(err, repo.ErrNotFound) && cs.repo.GcAtWork() {
		cs.ledger.AwaitCommit(ctx, id)
		_, err = cs.CommitRecord(id)
	}
	if errors.Is(err, repo.ErrNotFound) && cs.backup.IsBackedUp(id) {
		if _, terr := cs.backup.Recover(ctx, true); terr == nil { // or another process did
			_, err = cs.CommitRecord(id)
		}
	}
	for _, want := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, want) {
			return false, fmt.Errorf("read checkpoint %s: %w", record.Short(id), err)
		}
	}
	return err != nil, nil
}

// Seen returns what the session's next save continues: what it last saw, else
// the newest checkpoint of its line. It is nil if there is none.
func (cs *Commits) Seen(ctx context.Context) (*record.Record, error) {
	t := cs.session.Stand()
	if t.Seen != "" {
		if id, err := cs.LiveAt(ctx, t.On(), t.Seen); err == nil && id == "" {
			return nil, nil
		} else if r, err := cs.Record(ctx, id); err == nil {
			return &r, nil
		}
	}
	return cs.Latest(ctx, t.On())
}

// Latest is the newest checkpoint of a ref that is not removed, or nil. A ref whose commit
// git lost is no empty line: the commit comes back from the backup, or that is an error.
func (cs *Commits) Latest(ctx context.Context, ref string) (*record.Record, error) {
	recs, err := cs.Log(ctx, Query{Revs: []string{ref}, Max: 1})
	none := func() bool { return errors.Is(err, repo.ErrNotFound) || err == nil && len(recs) == 0 }
	if none() {
		tip, terr := cs.repo.Tip(ctx, ref)
		if tip == "" || terr != nil {
			return nil, terr
		}
		if err := cs.HoldsOne(ctx, ref, tip); err != nil {
			return nil, err
		}
		recs, err = cs.Log(ctx, Query{Revs: []string{ref}, Max: 1})
	}
	if none() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &recs[0], nil
}
