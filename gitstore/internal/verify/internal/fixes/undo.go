package fixes

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Undo takes the repair back, all of it or nothing, and says in lines what it did.
func (r *Run) Undo(ctx context.Context) (did []string, err error) {
	for _, step := range r.record.Steps {
		if err := r.undoable(ctx, step); err != nil {
			return nil, err
		}
	}
	if err := r.Journal.RewriteJournal(func(map[string]journal.Entry) error { return nil }); err != nil { // the last step of each, tried first
		return nil, fmt.Errorf("nothing was undone: %w", err)
	}
	for _, step := range slices.Backward(r.record.Steps) {
		said, err := r.undo(ctx, step)
		if err != nil {
			return did, fmt.Errorf("undo %s: %w", step.Subject, err)
		}
		if said != "" {
			did = append(did, said)
		}
	}
	if len(did) == 0 {
		did = append(did, "nothing to undo in the repair of "+r.when()+": restored objects and removed locks stay as they are")
	}
	r.record.Undone = true
	if err := r.Write(); err != nil {
		return did, fmt.Errorf("record the undo: %w", err)
	}
	return did, nil
}

// CanUndo reports whether Undo would change something.
func (r *Run) CanUndo(ctx context.Context) bool {
	return slices.ContainsFunc(r.record.Steps, func(t Step) bool { return r.hasBack(ctx, t) })
}

// undoable refuses where something was built upon the repair meanwhile.
func (r *Run) undoable(ctx context.Context, step Step) error {
	if step.Kind != "ref" && step.Kind != "accept" || r.isBack(step) {
		return nil
	}
	now, err := r.Repo.Tip(ctx, step.Subject)
	if err != nil {
		return err
	}
	if now != step.New && now != step.Old { // the latter: the repair was ended before this step
		return fmt.Errorf("'%s' moved to %s after the repair; nothing was undone", refname.ShortName(step.Subject), record.Short(now))
	}
	return nil
}

func (r *Run) undo(ctx context.Context, step Step) (said string, err error) {
	switch step.Kind {
	case "ref":
		return r.undoRef(ctx, step)
	case "accept":
		return "what '" + refname.ShortName(step.Subject) + "' lost is reported again, as before it was accepted on " + r.when(), r.SetJournal(step.Subject, step.Journal, step.Since)
	case "file":
		return r.undoFile(step)
	}
	return "", nil
}

// hasBack reports whether undo would change something: what was not done, brought or
// unlocked it leaves alone.
func (r *Run) hasBack(ctx context.Context, step Step) bool {
	switch step.Kind {
	case "ref":
		now, err := r.Repo.Tip(ctx, step.Subject)
		return err == nil && now == step.New && !r.isBack(step)
	case "file":
		was, err := r.kept(step)
		return err == nil && restores(step) && !holds(step.Subject, was)
	}
	return step.Kind == "accept"
}

// holds reports whether a file holds just these bytes.
func holds(file string, b []byte) bool {
	now, err := fsx.ReadFile(file)
	return err == nil && bytes.Equal(now, b)
}

// isBack reports whether the file of a ref holds what was there before the repair,
// and git may be unable to read: taking back was stopped behind it.
func (r *Run) isBack(step Step) bool {
	if step.Kind != "ref" {
		return false
	}
	was, err := r.before(step)
	if err != nil {
		return false
	}
	return holds(RefFile(r.Repo, step.Subject), was)
}

// undoRef puts a ref back, and keeps what the repair had set it to. Where taking
// back was stopped behind that, the journal may still have to follow.
func (r *Run) undoRef(ctx context.Context, step Step) (string, error) {
	if r.isBack(step) {
		return r.saysBack(step), r.SetJournal(step.Subject, step.Journal, step.Since)
	}
	now, err := r.Repo.Tip(ctx, step.Subject)
	if err != nil {
		return "", err
	}
	if now != step.New { // as it was: an undo was killed here, and may not have come to the journal
		return "", r.SetJournal(step.Subject, step.Journal, step.Since)
	}
	if err := r.keepRef(ctx, "refs/sage/undone/"+strings.TrimPrefix(step.Subject, "refs/sage/"), step.New); err != nil {
		return "", err
	}
	if _, lost := r.Repo.Object(step.Old); step.Kept == "" && (step.Old == "" || lost == nil) {
		err = r.Ledger.Move(ctx, "sage: take a repair back", journal.Move{Ref: step.Subject, Old: step.New, New: step.Old})
	} else {
		err = r.undoRefFile(ctx, step)
	}
	if err == nil {
		err = r.SetJournal(step.Subject, step.Journal, step.Since)
	}
	return r.saysBack(step), err
}

// saysBack says where a ref is again, and which repair that was before.
func (r *Run) saysBack(step Step) string {
	what := "as it was"
	switch {
	case step.Kept != "": // git cannot read it
	case step.Old == "":
		what = "gone again, as"
	default:
		what = "at " + record.Short(step.Old) + " again, as"
	}
	return refname.ShortName(step.Subject) + " is " + what + " before the repair of " + r.when()
}

// when is the time of a repair, for people.
func (r *Run) when() string { return r.record.At.UTC().Format("2006-01-02 15:04:05") + " UTC" }

// undoRefFile puts back what git itself would not: a file that holds no id, or
// that of an object which is gone.
func (r *Run) undoRefFile(ctx context.Context, step Step) error {
	b, err := r.before(step)
	if err != nil {
		return err
	}
	return r.putRefFile(ctx, step.Subject, step.New, b)
}

// before is what the file of a ref held before the repair.
func (r *Run) before(step Step) ([]byte, error) {
	if step.Kept == "" {
		return []byte(step.Old + "\n"), nil
	}
	return r.kept(step)
}

// restores reports whether undo puts a file back: there was one, and none was written
// anew meanwhile. The journal always is there.
func restores(step Step) bool {
	_, err := fsx.Lstat(step.Subject)
	return step.Kept != "" && (err != nil || filepath.Base(step.Subject) == "journal")
}

func (r *Run) undoFile(step Step) (string, error) {
	if !restores(step) {
		return "", nil
	}
	b, err := r.kept(step)
	if err != nil {
		return "", err
	}
	return step.Subject + " is as it was before the repair of " + r.when(), fsx.WriteFile(step.Subject, b, 0o644)
}
