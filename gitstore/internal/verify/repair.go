package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/part"
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
	Not  []string       // what was tried and not done, and why
	Left []part.Finding // what is still wrong; nil of a dry run
	Kept string         // the folder with what was replaced; "" if nothing was done
	Back bool           // UndoRepair has something of it to take back
}

// A fix is something that a repair can do about a finding.
type fix interface {
	about() string                           // what is mended
	will() string                            // to stand behind "git sage fsck --repair"
	did() string                             // to stand behind what is mended
	plan(k *checker, r *repair) error        // notes in r what will be replaced, and keeps it
	do(ctx context.Context, r *repair) error // idempotent
}

// Repair mends what Check finds where there is one way to do so: it guesses
// nothing. What it replaces it keeps, and UndoRepair takes it back. Of a healthy
// repository it changes no byte.
func (ve *Verifier) Repair(ctx context.Context, q RepairRequest) (Repaired, error) {
	k, err := ve.plan(ctx, q)
	if err != nil {
		return Repaired{}, err
	}
	k.Close()
	if q.DryRun || len(k.fixes) == 0 {
		return Repaired{Done: k.wills(), Left: k.Report.Findings}, nil
	}
	done := ve.repo.Queue(ctx)
	defer done()
	k, err = ve.plan(ctx, q) // again, now that no other of us writes
	if err != nil {
		return Repaired{}, err
	}
	defer k.Close()
	out, err := ve.mend(ctx, k)
	if err != nil {
		return out, err
	}
	_ = ve.repo.Batch.Close() // it remembers what was missing
	after, err := ve.Check(ctx)
	out.Left = append(after.Findings, k.elsewhere...)
	return out, err
}

// plan checks, and obeys the choices that the person made.
func (ve *Verifier) plan(ctx context.Context, q RepairRequest) (*checker, error) {
	k, err := ve.check(ctx, q.From)
	if err != nil {
		return nil, err
	}
	if err := k.choose(ctx, q.Set); err != nil {
		k.Close()
		return nil, err
	}
	return k, ctx.Err()
}

func (k *checker) wills() (out []string) {
	for _, f := range k.fixes {
		out = append(out, f.about()+": "+f.will())
	}
	return slices.Compact(out)
}

// mend carries the fixes out: objects first, since refs need them.
func (ve *Verifier) mend(ctx context.Context, k *checker) (Repaired, error) {
	ve.ledger.ClearLocks() // those of our own dead writers need no judgement
	r, err := ve.newRepair(ctx)
	if err != nil {
		return Repaired{}, err
	}
	r.k = k
	for _, f := range k.fixes {
		if err := f.plan(k, r); err != nil {
			return Repaired{}, fmt.Errorf("keep a copy of what is replaced: %w; nothing was changed", err)
		}
	}
	if err := r.write(); err != nil {
		return Repaired{}, fmt.Errorf("record the repair: %w; nothing was changed", err)
	}
	out := Repaired{Kept: r.dir}
	for _, f := range order(k.fixes) {
		switch err := f.do(ctx, r); {
		case errors.Is(err, journal.ErrMoved):
			out.Not = append(out.Not, f.about()+": changed by another process")
		case err != nil:
			out.Not = append(out.Not, f.about()+": "+err.Error())
		default:
			out.Done = append(out.Done, f.about()+": "+f.did())
		}
	}
	out.Back = slices.ContainsFunc(r.writerRecord.Steps, func(t repairStep) bool { return r.hasBack(ctx, t) })
	return out, nil
}

func order(fixes []fix) []fix {
	out := slices.Clone(fixes)
	slices.SortStableFunc(out, func(a, b fix) int { return rank(a) - rank(b) })
	return out
}

func rank(f fix) int {
	switch f.(type) {
	case *lockFix:
		return 0
	case *bringFix:
		return 1
	case *refFix:
		return 2
	}
	return 3
}
