package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A RepairRequest says how far a repair may go.
type RepairRequest struct {
	DryRun bool              // say what would be done, and do nothing
	From   string            // a clone on this machine that may have what is missing here; "" is none
	Set    map[string]string // by line, fork or ref: the id to choose where several are possible
}

// Repaired says what became of a repair, or what would.
type Repaired struct {
	Done []string       // what was done, in words; one line each
	Not  []remedy.Note  // what was tried and not done, and why
	Left []part.Finding // what is still wrong; nil of a dry run
	Kept string         // the folder with what was replaced; "" if nothing was done
	Back bool           // UndoRepair has something of it to take back
}

// Repair mends what Check finds where there is one way to do so: it guesses
// nothing. What it replaces it keeps, and UndoRepair takes it back. Of a healthy
// repository it changes no byte.
func (ve *Verifier) Repair(ctx context.Context, q RepairRequest) (Repaired, error) {
	p, err := ve.plan(ctx, q)
	if err != nil {
		return Repaired{}, err
	}
	p.Close()
	if indexes, _ := split(p.Fixes); len(indexes) > 0 && q.DryRun {
		p.Fixes = indexes
	}
	if q.DryRun || len(p.Fixes) == 0 {
		return Repaired{Done: wills(p.Fixes), Left: p.Report.Findings}, nil
	}
	done := ve.repo.Queue(ctx)
	defer done()
	p, err = ve.plan(ctx, q) // again, now that no other of us writes
	if err != nil {
		return Repaired{}, err
	}
	defer func() { p.Close() }()
	var out Repaired
	if indexes, _ := split(p.Fixes); len(indexes) > 0 { // what they list seems to be gone, and is not
		p.Fixes = indexes
		if out, err = ve.mend(ctx, p); err != nil {
			return out, err
		}
		p.Close()
		_ = ve.repo.Batch.Close()
		again, err := ve.plan(ctx, q)
		if err != nil {
			return out, err
		}
		p = again
		_, p.Fixes = split(p.Fixes)
	}
	if len(p.Fixes) > 0 {
		more, err := ve.mend(ctx, p)
		more.Done, more.Not = append(out.Done, more.Done...), append(out.Not, more.Not...)
		if out = more; err != nil {
			return out, err
		}
	}
	_ = ve.repo.Batch.Close() // it remembers what was missing
	after, err := ve.Check(ctx)
	out.Left = append(after.Findings, p.OnlyThere...)
	return out, err
}

// plan checks, and obeys the choices that the person made.
func (ve *Verifier) plan(ctx context.Context, q RepairRequest) (*pass.Pass, error) {
	p, err := ve.run(ctx, q.From, 0)
	if err != nil {
		return nil, err
	}
	if err := choose(p, q.Set); err != nil {
		p.Close()
		return nil, err
	}
	return p, ctx.Err()
}

// split sets apart the fixes of indexes of packs: until those are read again nobody knows
// what is missing.
func split(all []fixes.Fix) (indexes, rest []fixes.Fix) {
	for _, f := range all {
		if _, ok := f.(*fixes.PackIndex); ok {
			indexes = append(indexes, f)
		} else {
			rest = append(rest, f)
		}
	}
	return indexes, rest
}

func wills(all []fixes.Fix) (out []string) {
	for _, f := range all {
		out = append(out, f.About()+": "+f.Will())
	}
	return slices.Compact(out)
}

// mend carries the fixes out: objects first, since refs need them.
func (ve *Verifier) mend(ctx context.Context, p *pass.Pass) (Repaired, error) {
	ve.ledger.ClearLocks() // those of our own dead writers need no judgement
	r, err := ve.fixes().Begin(ctx, p)
	if err != nil {
		return Repaired{}, err
	}
	for _, f := range p.Fixes {
		if err := f.Plan(r); err != nil {
			return Repaired{}, fmt.Errorf("keep a copy of what is replaced: %w; nothing was changed", err)
		}
	}
	if err := r.Write(); err != nil {
		return Repaired{}, fmt.Errorf("record the repair: %w; nothing was changed", err)
	}
	out := Repaired{Kept: r.Dir}
	for _, f := range fixes.Order(p.Fixes) {
		switch err := f.Do(ctx, r); {
		case errors.Is(err, journal.ErrMoved):
			out.Not = append(out.Not, remedy.Notef("%s: changed by another process", f.About()))
		case err != nil:
			out.Not = append(out.Not, remedy.NoteOf(fmt.Errorf("%s: %w", f.About(), err)))
		default:
			out.Done = append(out.Done, f.About()+": "+f.Did())
		}
	}
	out.Back = r.CanUndo(ctx)
	return out, nil
}

// UndoRepair takes the last repair back that was not taken back yet, all of it or
// nothing: refs and files are as they were before. Objects that were brought stay,
// and so do removed locks away. It returns ErrNothing if there is none.
func (ve *Verifier) UndoRepair(ctx context.Context) (Repaired, error) {
	done := ve.repo.Queue(ctx)
	defer done()
	r, err := ve.fixes().Last()
	if err != nil {
		return Repaired{}, err
	}
	if r == nil {
		return Repaired{}, fmt.Errorf("%w: no repair to undo", repo.ErrNothing)
	}
	did, err := r.Undo(ctx)
	if err != nil {
		return Repaired{Kept: r.Dir, Done: did}, err
	}
	_ = ve.repo.Batch.Close()
	after, err := ve.Check(ctx)
	return Repaired{Kept: r.Dir, Done: did, Left: after.Findings}, err
}

// fixes are the rooms that repairs write through.
func (ve *Verifier) fixes() fixes.Rooms {
	return fixes.Rooms{Repo: ve.repo, Journal: ve.journal, Ledger: ve.ledger, Backup: ve.backup, Session: ve.session}
}

// Repairs is what repairs kept of what they replaced, as purge sees it.
func Repairs(r *repo.Repo) part.Part { return fixes.Part(r) }
