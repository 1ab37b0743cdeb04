package history

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Guard returns a *LostError if the journal knows a value of ref that tip, which
// git has there ("" is nothing), does not contain. Whoever is about to build on tip
// asks, and status; other readers do not. It returns ErrMoved if tip is no longer what git has.
//
// What does not count as loss: a ref that the journal does not know, or knows as
// deleted; a move that was announced; a fork that its line, or any other, contains,
// as one that was folded by a writer who could not say so any more.
//
// The journal may be behind the ref, by those who moved it and are about to say so,
// and tip may be behind both. So a difference is believed when ref and journal
// stand still.
func (hist *History) Guard(ctx context.Context, ref, tip string) error {
	e, known := hist.journal.LastEntry(ref)
	if known && e.Agrees(tip) {
		return nil
	}
	hist.ledger.AwaitCommit(ctx, tip)
	want := hist.rewritten.StandIn(e.New)
	if !known || want == "" || want == tip || hist.Contains(ctx, ref, tip, want) {
		return nil
	}
	if hist.rewritten.LearnPurges(ctx) { // one was ended between its move of the refs and its index
		return hist.Guard(ctx, ref, tip)
	}
	now, err := hist.repo.Tip(ctx, ref)
	if err != nil {
		return err
	}
	if again, _ := hist.journal.LastEntry(ref); now != tip || again.New != e.New {
		return fmt.Errorf("%w: '%s'", journal.ErrMoved, refname.ShortRef(ref))
	}
	return &journal.LostError{Ref: ref, Want: e.New, Have: tip, At: e.At}
}

// Contains reports whether want is in the history of tip, the value of ref. In most
// cases it is a parent, and no process is needed to see it.
func (hist *History) Contains(ctx context.Context, ref, tip, want string) bool {
	if tip == "" {
		return strings.HasPrefix(ref, refname.ForksPrefix) && hist.heldBy(ctx, refname.HeadsPrefix, want)
	}
	if r, err := hist.commits.CommitRecord(tip); err == nil && slices.Contains(r.Parents, want) {
		return true
	}
	return hist.commits.IsAncestor(ctx, want, tip)
}

func (hist *History) heldBy(ctx context.Context, prefix, id string) bool {
	out, err := hist.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, "--format=%(refname)", prefix)
	return err == nil && len(out) > 0
}

// LineTip returns the tip of a line that something is to be put on, or "". It
// refuses a line that holds anything but a commit of ours, or less than the
// journal knows.
func (hist *History) LineTip(ctx context.Context, line string) (string, error) {
	tip, err := hist.repo.Tip(ctx, refname.HeadRef(line))
	if err == nil {
		err = hist.Guard(ctx, refname.HeadRef(line), tip)
	}
	if err == nil && tip != "" {
		err = hist.commits.HoldsOne(ctx, refname.HeadRef(line), tip)
	}
	return tip, err
}

// OnlyRemovals reports whether nothing but tombstones lies between seen and tip.
func (hist *History) OnlyRemovals(ctx context.Context, seen, tip string) bool {
	if tip == "" || seen == "" {
		return false
	}
	for at := tip; at != seen; {
		r, err := hist.commits.CommitRecord(at)
		if err != nil || r.Kind != record.KindTombstone || len(r.Parents) != 1 {
			return false
		}
		at = r.Parents[0]
	}
	return true
}

// NothingLost refuses to purge while a ref lacks what was acknowledged on it: the
// backup is made anew in the end, and could not bring it back any more. It looks where
// fsck does: a ref that tracks a remote is in the journal when a purge moved it, and is
// the next fetch's to set.
func (hist *History) NothingLost(ctx context.Context) error {
	known, err := hist.journal.Journaled()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		tip, err := hist.repo.Tip(ctx, name)
		if err == nil {
			err = hist.NotLost(ctx, name, tip)
		}
		if err != nil && !errors.Is(err, journal.ErrMoved) {
			return err
		}
	}
	return nil
}

// NotLost is guard for refs that hold what was acknowledged.
func (hist *History) NotLost(ctx context.Context, name, tip string) error {
	if !refname.IsAcknowledged(name) {
		return nil
	}
	return hist.Guard(ctx, name, tip)
}

// MaxSteps is how many removals at a tip are passed by without a walk by git.
const MaxSteps = 20
