package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// UndoRepair takes the last repair back that was not taken back yet, all of it or
// nothing: refs and files are as they were before. Objects that were brought stay,
// and so do removed locks away. It returns ErrNothing if there is none.
func (s *Store) UndoRepair(ctx context.Context) (Repaired, error) {
	done, _ := s.queue(ctx)
	defer done()
	r, err := s.lastRepair()
	if err != nil {
		return Repaired{}, err
	}
	if r == nil {
		return Repaired{}, fmt.Errorf("%w: no repair is left to take back", ErrNothing)
	}
	for _, step := range r.record.Steps {
		if err := r.undoable(ctx, step); err != nil {
			return Repaired{}, err
		}
	}
	if err := s.rewriteJournal(func(map[string]entry) error { return nil }); err != nil { // the last step of each, tried first
		return Repaired{}, fmt.Errorf("nothing was taken back: %w", err)
	}
	out := Repaired{Kept: r.dir}
	for _, step := range slices.Backward(r.record.Steps) {
		said, err := r.undo(ctx, step)
		if err != nil {
			return out, fmt.Errorf("take back %s: %w", step.Subject, err)
		}
		if said != "" {
			out.Done = append(out.Done, said)
		}
	}
	if len(out.Done) == 0 {
		out.Done = append(out.Done, "nothing is to be taken back: objects that were brought stay, and removed locks stay away")
	}
	r.record.Undone = true
	if err := r.write(); err != nil {
		return out, fmt.Errorf("record what was taken back: %w", err)
	}
	_ = s.batch.Close()
	after, err := s.Check(ctx)
	out.Left = after.Findings
	return out, err
}

// undoable refuses where something was built upon the repair meanwhile.
func (r *repair) undoable(ctx context.Context, step repairStep) error {
	if step.Kind != "ref" && step.Kind != "accept" || r.isBack(step) {
		return nil
	}
	now, err := r.s.tip(ctx, step.Subject)
	if err != nil {
		return err
	}
	if now != step.New && now != step.Old { // the latter: the repair was ended before this step
		return fmt.Errorf("'%s' has moved on since the repair, to %s: nothing was taken back", shortName(step.Subject), short(now))
	}
	return nil
}

func (r *repair) undo(ctx context.Context, step repairStep) (said string, err error) {
	switch step.Kind {
	case "ref":
		return r.undoRef(ctx, step)
	case "accept":
		return shortName(step.Subject) + " is missed again", r.s.setJournal(step.Subject, step.Journal, step.Since)
	case "file":
		return r.undoFile(step)
	}
	return "", nil
}

// isBack reports whether the file of a ref holds what was there before the repair,
// and git may be unable to read: taking back was stopped behind it.
func (r *repair) isBack(step repairStep) bool {
	if step.Kind != "ref" {
		return false
	}
	was, err := r.before(step)
	if err != nil {
		return false
	}
	b, err := fsx.ReadFile(r.s.refFile(step.Subject))
	return err == nil && bytes.Equal(b, was)
}

// undoRef puts a ref back, and keeps what the repair had set it to. Where taking
// back was stopped behind that, the journal may still have to follow.
func (r *repair) undoRef(ctx context.Context, step repairStep) (string, error) {
	if r.isBack(step) {
		return shortName(step.Subject) + " is as it was before", r.s.setJournal(step.Subject, step.Journal, step.Since)
	}
	now, err := r.s.tip(ctx, step.Subject)
	if err != nil {
		return "", err
	}
	if now != step.New { // as it was: an undo was killed here, and may not have come to the journal
		return "", r.s.setJournal(step.Subject, step.Journal, step.Since)
	}
	if err := r.keepRef(ctx, "refs/sage/undone/"+strings.TrimPrefix(step.Subject, "refs/sage/"), step.New); err != nil {
		return "", err
	}
	if _, lost := r.s.object(step.Old); step.Kept == "" && (step.Old == "" || lost == nil) {
		err = r.s.move(ctx, "sage: take a repair back", move{step.Subject, step.New, step.Old})
	} else {
		err = r.undoRefFile(ctx, step)
	}
	if err == nil {
		err = r.s.setJournal(step.Subject, step.Journal, step.Since)
	}
	return shortName(step.Subject) + " is as it was before", err
}

// undoRefFile puts back what git itself would not: a file that holds no id, or
// that of an object which is gone.
func (r *repair) undoRefFile(ctx context.Context, step repairStep) error {
	b, err := r.before(step)
	if err != nil {
		return err
	}
	return r.s.putRefFile(ctx, step.Subject, step.New, b)
}

// before is what the file of a ref held before the repair.
func (r *repair) before(step repairStep) ([]byte, error) {
	if step.Kept == "" {
		return []byte(step.Old + "\n"), nil
	}
	return r.kept(step)
}

func (r *repair) undoFile(step repairStep) (string, error) {
	if step.Kept == "" {
		return "", nil
	}
	if _, err := fsx.Lstat(step.Subject); err == nil && filepath.Base(step.Subject) != "journal" {
		return "", nil // written anew meanwhile
	}
	b, err := r.kept(step)
	if err != nil {
		return "", err
	}
	return step.Subject + " is as it was before", fsx.WriteFile(step.Subject, b, 0o644)
}

// titled is an id with the description of its checkpoint, if it can be read.
func (s *Store) titled(id string) string {
	r, err := s.commitRecord(id)
	if err != nil || r.Description == "" {
		return short(id)
	}
	return short(id) + " '" + clip(sage.OneLine(r.Description), 60) + "'"
}

// Accept makes what git has for a ref the truth, though something that was saved
// there is gone: saves go on from it. ref is a line, a fork or a full name.
func (s *Store) Accept(ctx context.Context, ref string) (string, error) {
	done, _ := s.queue(ctx)
	defer done()
	name, err := s.refNamed(ctx, ref)
	if err != nil {
		return "", err
	}
	known, err := s.journaled()
	if err != nil {
		return "", err
	}
	tip, err := s.tip(ctx, name)
	if err != nil {
		return "", err
	}
	was := known[name].new
	if was == "" || was == tip || tip != "" && s.isAncestor(ctx, was, tip) {
		return "", fmt.Errorf("'%s' has lost nothing: %w", shortName(name), ErrNothing)
	}
	r, err := s.newRepair(ctx)
	if err != nil {
		return "", err
	}
	r.add(repairStep{Kind: "accept", Subject: name, Old: tip, New: tip, Journal: was, Since: known[name].at})
	if err := r.write(); err != nil {
		return "", fmt.Errorf("record what is accepted: %w", err)
	}
	said := fmt.Sprintf("'%s' goes on from %s; %s is given up", shortName(name), s.titled(tip), s.titled(was))
	if tip == "" {
		said = fmt.Sprintf("'%s' may be gone: the next save there begins anew", shortName(name))
	}
	return said, s.setJournal(name, tip, r.record.At)
}
