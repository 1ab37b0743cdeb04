package write

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// Remove records that the checkpoints are removed, on the current line. They
// stay in history, and RestoreRemoved brings them back.
func (sv *Saver) Remove(ctx context.Context, revs []string) ([]record.Record, error) {
	return sv.bury(ctx, revs, true)
}

// RestoreRemoved brings back what Remove removed.
func (sv *Saver) RestoreRemoved(ctx context.Context, revs []string) ([]record.Record, error) {
	return sv.bury(ctx, revs, false)
}

func (sv *Saver) bury(ctx context.Context, revs []string, remove bool) ([]record.Record, error) {
	return backup.Healing(ctx, sv.backup, func() ([]record.Record, error) { return sv.buryAll(ctx, revs, remove) })
}

func (sv *Saver) buryAll(ctx context.Context, revs []string, remove bool) ([]record.Record, error) {
	var recs []record.Record
	var elsewhere []string
	if !remove {
		elsewhere, _ = sv.commits.RemovedElsewhere(ctx) // else they are here already
	}
	for _, rev := range revs {
		if !remove {
			rev = sv.withRemoved(ctx, rev)
		}
		r, err := sv.commits.Record(ctx, rev)
		if err != nil {
			return nil, err
		}
		if r.Kind == record.KindTombstone {
			return nil, fmt.Errorf("%w: '%s' is a tombstone", repo.ErrNotFound, rev)
		}
		if (r.Removed != remove || slices.Contains(elsewhere, r.ID)) && !slices.ContainsFunc(recs, func(o record.Record) bool { return o.ID == r.ID }) {
			recs = append(recs, r)
		}
	}
	if len(recs) == 0 {
		return nil, repo.ErrNothing
	}
	for part := range slices.Chunk(recs, admission.MaxRemoved) {
		if err := sv.tombstone(ctx, part, remove); err != nil {
			return nil, err
		}
	}
	if remove {
		return recs, sv.leaveRemoved(ctx, recs)
	}
	return recs, nil
}

// withRemoved has the name of a line mean its newest checkpoint, removed or not.
func (sv *Saver) withRemoved(ctx context.Context, rev string) string {
	if refname.CheckName(rev) == nil {
		if tip, err := sv.repo.Tip(ctx, refname.HeadRef(rev)); err == nil && tip != "" {
			return refname.HeadRef(rev)
		}
	}
	return rev
}

// tombstone appends one commit to the line that removes or restores recs.
func (sv *Saver) tombstone(ctx context.Context, recs []record.Record, remove bool) error {
	w := &ledger.Work{C: &sage.Checkpoint{Time: sv.repo.Options.Now(), Session: sv.repo.Options.Session, Agent: sv.repo.Options.Agent}, Kind: record.KindTombstone, Now: sv.repo.Options.Now()}
	verb, key := "remove", "Removes"
	if !remove {
		verb, key = "restore", "Restores"
	}
	var ids strings.Builder
	for _, r := range recs {
		fmt.Fprintf(&ids, "  - %s\n", r.ID)
	}
	w.Blob = sv.repo.Objects.New("blob", fmt.Appendf(nil, "format: %d\n%s:\n%s", record.PlainFormat(), strings.ToLower(key), ids.String()))
	w.Tree = sv.repo.Objects.New("tree", gittree.Encode(gittree.Entry{Mode: "100644", Name: "tombstone.yaml", ID: w.Blob.ID}))
	w.Saved.Description = SubjectOf(verb, recs)
	for _, r := range recs {
		w.Trailers = append(w.Trailers, [2]string{key, r.ID})
	}
	return sv.append(ctx, w)
}

func SubjectOf(verb string, recs []record.Record) string {
	if len(recs) == 1 {
		return cut.Runes(fmt.Sprintf("%s %s: %s", verb, record.Short(recs[0].ID), recs[0].Description), 72)
	}
	return fmt.Sprintf("%s %d checkpoints", verb, len(recs))
}

// append puts w on the tip of the current line, whatever the session saw: it
// is no thought, and a session's next one still continues what it saw.
func (sv *Saver) append(ctx context.Context, w *ledger.Work) error {
	w.Fill(ctx, sv.ledger, false)
	done := sv.backup.Turn(ctx)
	defer done()
	line := sv.session.Stand().Line
	for range repo.MaxTries {
		tip, err := sv.history.LineTip(ctx, line)
		if err != nil {
			return err
		}
		p := place{ref: refname.HeadRef(line), old: tip, line: line}
		if tip != "" {
			p.parents = []string{tip}
		}
		if err = sv.attempt(ctx, w, p); !errors.Is(err, journal.ErrMoved) {
			return err
		}
	}
	return repo.ErrOutraced
}

// advanceCache tells the cache that a place has a new checkpoint, so that the next list, or
// save on a fork, need not find out. What the checkpoint continues must be in the cache: a
// new fork may leave from where tombstones are that nobody has listed yet.
func (sv *Saver) advanceCache(p place, id string) {
	y, ok := sv.commits.ReadTombstones()
	if !ok || y.Tips[p.ref] != p.old {
		return
	}
	listed := slices.Collect(maps.Values(y.Tips))
	if !slices.Contains(listed, p.behind) && slices.ContainsFunc(p.parents, func(id string) bool { return !slices.Contains(listed, id) }) {
		return
	}
	y.Tips[p.ref] = id
	sv.commits.KeepTombstones(y)
}

// leaveRemoved moves the session on to the tip of its line when what it saw last
// was removed there: its next thought follows what is left.
func (sv *Saver) leaveRemoved(ctx context.Context, recs []record.Record) error {
	t := sv.session.Stand()
	if !slices.ContainsFunc(recs, func(r record.Record) bool { return r.ID == t.Seen }) || t.On() != refname.HeadRef(t.Line) {
		return nil
	}
	tip, err := sv.repo.Tip(ctx, t.On())
	if err != nil || !sv.history.OnlyRemovals(ctx, t.Seen, tip) {
		return err
	}
	t.Seen = tip
	return sv.session.KeepStand(t)
}
