package write

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// settle gives the unsettled merge of the line its thesis: the one at its tip, or what was saved on
// top of that, with what the merge holds and it does not mention.
func (sv *Saver) settle(ctx context.Context, m MergeRequest) (Merged, error) {
	done := sv.backup.Turn(ctx)
	defer done()
	t := sv.session.Stand()
	tip, err := sv.history.LineTip(ctx, t.Line)
	if err != nil {
		return Merged{}, err
	}
	if tip == "" {
		return Merged{}, fmt.Errorf("line '%s' has no checkpoint yet: %w", t.Line, repo.ErrNothing)
	}
	c, open, err := sv.thought(ctx, tip)
	if err != nil {
		return Merged{}, err
	}
	if !open {
		return Merged{}, fmt.Errorf("the newest checkpoint of '%s' needs no synthesis: %w", t.Line, repo.ErrNothing)
	}
	overlay(c, &m.Draft.Checkpoint)
	c.Description = m.Draft.Checkpoint.Description
	c.Trigger, c.Time, c.Session, c.Agent, c.Code = sage.Synthesis, sv.repo.Options.Now(), "", "", sage.CodeState{}
	merge.Settle(c, m.Thesis, m.Confidence)
	sv.knowOwn(c, m, tip)
	return sv.saveMerge(ctx, m, t, c, []string{tip})
}

// thought is what was thought at a commit, with what the unsettled merge below it says and it does
// not mention; open reports whether there is one, or this is one.
func (sv *Saver) thought(ctx context.Context, id string) (c *sage.Checkpoint, open bool, err error) {
	c, err = sv.history.Thought(id)
	m := sv.openBelow(ctx, id)
	if err != nil || m == nil || c.Thesis == sage.NeedsSynthesis {
		return c, m != nil, err
	}
	sides, err := sv.history.Thought(m.ID)
	if err != nil {
		return nil, true, err
	}
	Unsaid(c, sides)
	c.Elsewhere = c.Elsewhere || sides.Elsewhere
	return c, true, nil
}

// openBelow is the unsettled merge of the thoughts at some commits; nil is none.
func (sv *Saver) openBelow(ctx context.Context, ids ...string) *record.Record {
	var list []record.Record
	for _, id := range ids {
		at, err := sv.commits.SkipTombstones(id)
		if err != nil {
			continue
		}
		if r, err := sv.commits.CommitRecord(at); err == nil {
			list = append(list, r)
		}
	}
	return sv.commits.Unsettled(ctx, list...)
}

// knowOwn finds out whether a merge says nothing but what one checkpoint of this user's own says
// and what they gave with it: then it is theirs, whatever else it was made of. Those behind joins
// count, at most 50 commits back.
func (sv *Saver) knowOwn(c *sage.Checkpoint, m MergeRequest, todo ...string) {
	for n := 0; c.Elsewhere && n < 50 && len(todo) > 0; n++ {
		r, err := sv.commits.CommitRecord(todo[0])
		switch todo = todo[1:]; {
		case err != nil:
		case !r.Own && len(r.Parents) > 1:
			todo = append(todo, r.Parents...)
		case r.Own:
			own, err := sv.history.Thought(r.ID)
			if err != nil || own.Elsewhere {
				continue
			}
			overlay(own, &m.Draft.Checkpoint)
			if m.Thesis != "" {
				merge.Settle(own, m.Thesis, m.Confidence)
			}
			if bytes.Equal(said(c), said(own)) {
				c.Project, c.Elsewhere = own.Project, false
			}
		}
	}
}

// said is what a checkpoint says, without when, where and by what it was saved.
func said(c *sage.Checkpoint) []byte {
	s := *c
	s.Description, s.Time, s.Trigger, s.Session, s.Agent, s.Code, s.Project = "", time.Time{}, "", "", "", sage.CodeState{}, ""
	s.MessageCount, s.TokenEstimate, s.CheckpointTokens, s.CompressionRatio = 0, 0, 0, 0
	s.BranchFrom, s.MergeSources, s.Aliases = "", nil, nil
	return codec.Marshal(&s)
}

// MergeRecurs is why a merge of what was fetched is neither aborted nor undone.
const MergeRecurs = "every clone makes this merge, and would make it again"

// AbortMerge takes back the unsettled merge at the tip of the current line: the
// line is again what it was, and what was merged into it is a fork again. A
// merge that a remote has stays; settle that one.
func (sv *Saver) AbortMerge(ctx context.Context) (record.Record, error) {
	done := sv.backup.Turn(ctx)
	defer done()
	t := sv.session.Stand()
	tip, err := sv.history.LineTip(ctx, t.Line)
	if err != nil || tip == "" {
		return record.Record{}, cmp.Or(err, fmt.Errorf("no merge to abort: %w", repo.ErrNothing))
	}
	r, err := sv.commits.CommitRecord(tip)
	if err != nil {
		return r, err
	}
	if len(r.Parents) != 2 || r.Thesis != sage.NeedsSynthesis {
		return r, fmt.Errorf("no unsettled merge at the tip of '%s': %w", t.Line, repo.ErrNothing)
	}
	if r.IsJoin() {
		return r, remedy.For(errors.New(MergeRecurs), remedy.MergeThesis.On())
	}
	if where, err := sv.history.HeldByRemote(ctx, refname.HeadRef(t.Line), r.ID, r.Time); err != nil {
		return r, err
	} else if where != "" {
		return r, fmt.Errorf("the merge was pushed (%s); settle it with a thesis instead", where)
	}
	moves := []journal.Move{{Ref: refname.HeadRef(t.Line), Old: tip, New: r.Parents[0]}}
	if !sv.heldElsewhere(ctx, t.Line, r.Parents[1]) {
		moves = append(moves, journal.Move{Ref: refname.ForkRef(t.Line, refname.Session8(r.Parents[1])), Old: "", New: r.Parents[1]})
	}
	back, err := sv.commits.CommitRecord(r.Parents[0])
	if err == nil {
		err = sv.journal.Announce(moves, journal.AbortSays)
	}
	if err == nil { // one that kept its position would go on from what is no longer there
		err = sv.ledger.MoveThen(ctx, journal.AbortSays, func() error { return sv.standAt(t, back.ID) }, moves...)
	}
	if err != nil {
		return r, fmt.Errorf("abort merge: %w", err)
	}
	return back, nil
}

// heldElsewhere reports whether another ref than the line's holds id.
func (sv *Saver) heldElsewhere(ctx context.Context, line, id string) bool {
	out, err := sv.repo.Git.Run(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)", refname.HeadsPrefix, refname.ForksPrefix)
	names := strings.Fields(string(out))
	return err == nil && slices.ContainsFunc(names, func(n string) bool { return n != refname.HeadRef(line) })
}
