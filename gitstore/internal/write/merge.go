package write

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// Merge brings another line, fork or checkpoint into the current line, by
// meaning. Where theses disagree and m gives none, the result needs synthesis,
// and a later merge with a thesis settles it. Forks that the line then contains
// are folded away in the same transaction.
func (sv *Saver) Merge(ctx context.Context, m MergeRequest) (Merged, error) {
	if err := sv.repo.Enabled(); err != nil {
		return Merged{}, err
	}
	refs, err := sv.repo.TakeRefs(m.Draft.Checkpoint.CodeRefs, nil)
	if err != nil {
		return Merged{}, err
	}
	m.Draft.Checkpoint.CodeRefs = refs
	out, err := backup.Healing(ctx, sv.backup, func() (Merged, error) { return sv.merge(ctx, m) })
	if err == nil {
		out.Warnings = append(out.Warnings, remedy.Notes(sv.backup.TookBack())...)
	}
	return out, err
}

func (sv *Saver) merge(ctx context.Context, m MergeRequest) (Merged, error) {
	if m.Rev == "" && m.Thesis != "" {
		return sv.settle(ctx, m)
	}
	if m.Rev == "" {
		return sv.mergeForks(ctx, m)
	}
	id, err := sv.commits.Resolve(ctx, m.Rev)
	if err != nil {
		return Merged{}, err
	}
	return sv.mergeID(ctx, m, id)
}

// mergeForks merges all forks of the current line, one after another.
func (sv *Saver) mergeForks(ctx context.Context, m MergeRequest) (out Merged, err error) {
	line := sv.session.Stand().Line
	forks, err := sv.forksOf(ctx, line)
	if err != nil {
		return out, err
	}
	if len(forks) == 0 {
		return out, fmt.Errorf("line '%s' has no open forks: %w", line, repo.ErrNothing)
	}
	for _, f := range forks {
		folded := out.Folded
		if out, err = sv.mergeID(ctx, m, f.ID); err != nil {
			return out, err
		}
		out.Folded = append(folded, out.Folded...)
	}
	return out, nil
}

func (sv *Saver) mergeID(ctx context.Context, m MergeRequest, theirs string) (Merged, error) {
	done := sv.backup.Turn(ctx)
	defer done()
	for range repo.MaxTries {
		out, err := sv.tryMerge(ctx, m, theirs)
		if !errors.Is(err, journal.ErrMoved) {
			return out, err
		}
	}
	return Merged{}, fmt.Errorf("merge: %w", repo.ErrOutraced)
}

func (sv *Saver) tryMerge(ctx context.Context, m MergeRequest, theirs string) (Merged, error) {
	t := sv.session.Stand()
	ours, err := sv.history.LineTip(ctx, t.Line)
	if err != nil {
		return Merged{}, err
	}
	if ours == "" && t.Begins {
		if ours, err = sv.begin(ctx, t); err != nil {
			return Merged{}, err
		}
	}
	if theirs == ours && t.Seen != "" && t.Seen != ours { // the line into the session's own fork
		theirs = t.Seen
	}
	if err := sv.admission.Admit(ctx, theirs, ours); err != nil {
		return Merged{}, err
	}
	if ours == "" {
		return sv.forward(ctx, t, "", theirs)
	}
	bases, err := sv.history.Bases(ctx, ours, theirs)
	if err != nil {
		return Merged{}, err
	}
	switch {
	case slices.Contains(bases, theirs):
		out, err := sv.forward(ctx, t, ours, ours)
		out.UpToDate = true
		if m.Thesis != "" {
			out.Warnings = append(out.Warnings, remedy.Notef("nothing to merge, so the thesis was not recorded; save it as a checkpoint"))
		}
		return out, err
	case slices.Contains(bases, ours) && m.Thesis == "": // else what the author says needs a commit of its own
		return sv.forward(ctx, t, ours, theirs)
	}
	return sv.join(ctx, m, t, ours, theirs, bases)
}

// begin makes the line that goes with git's branch where it begins: what is merged into
// it comes to that.
func (sv *Saver) begin(ctx context.Context, t session.Stand) (tip string, err error) {
	if err = sv.admission.Admit(ctx, t.Seen, ""); err != nil {
		return "", err
	}
	if err = sv.history.Guard(ctx, refname.HeadRef(t.Line), ""); err == nil {
		err = sv.ledger.Move(ctx, "sage: branch from "+record.Short(t.Seen), journal.Move{Ref: refname.HeadRef(t.Line), Old: "", New: t.Seen})
	}
	return t.Seen, err
}

// forward moves the line to a checkpoint that contains it and folds forks. It
// moves nothing when old is id.
func (sv *Saver) forward(ctx context.Context, t session.Stand, old, id string) (Merged, error) {
	ref := refname.HeadRef(t.Line)
	folds, names, err := sv.folds(ctx, t.Line, id)
	if err != nil {
		return Merged{}, err
	}
	moves := folds
	if old != id {
		moves = append([]journal.Move{{Ref: ref, Old: old, New: id}}, folds...)
	}
	if len(moves) > 0 {
		if err := sv.ledger.Move(ctx, journal.FastForwardSays, moves...); err != nil {
			return Merged{}, err
		}
	}
	r, err := sv.commits.CommitRecord(id)
	if err != nil {
		return Merged{}, err
	}
	out := Merged{Saved: ledger.Saved{ID: id, Line: t.Line, Ref: ref, Parents: r.Parents, Description: r.Description}, FastForward: old != id, Folded: names}
	out.Unsettled = r.Thesis == sage.NeedsSynthesis
	sv.stoodAt(&out.Saved, t, id)
	return out, nil
}

// stoodAt is standAt behind a merge that is done, which a position that cannot be
// kept does not undo: the session's next save goes beside the line.
func (sv *Saver) stoodAt(saved *ledger.Saved, t session.Stand, id string) {
	if err := sv.standAt(t, id); err != nil {
		saved.Warnings = append(saved.Warnings, remedy.NoteOf(err))
	}
}

// standAt moves the session on to what it merged. A person at the shell is back
// on the line of the work tree, if that is the one that was merged into.
func (sv *Saver) standAt(t session.Stand, id string) error {
	if sv.repo.Options.Session == "" && t.Line == sv.session.LineHere() {
		return sv.session.Forget()
	}
	t.Ref, t.Seen = refname.HeadRef(t.Line), id
	return sv.session.KeepStand(t)
}

// forksOf are the forks of a line, also those that left it under an older name.
func (sv *Saver) forksOf(ctx context.Context, line string) ([]refname.Ref, error) {
	heads, err := sv.repo.Refs(ctx, refname.HeadsPrefix)
	if err != nil {
		return nil, err
	}
	notes, prefixes := sv.lines.notesAt(sv.follow.Notes(ctx), heads), []string{refname.ForksPrefix + line}
	for old := range notes {
		if old != line && NowCalled(notes, old) == line {
			prefixes = append(prefixes, refname.ForksPrefix+old)
		}
	}
	return sv.repo.Refs(ctx, prefixes...)
}

// NowCalled is the name that a line has after all renaming.
func NowCalled(notes map[string]commits.LineNote, name string) string {
	for range len(notes) { // who renames in a circle gets some name of it
		next := notes[name].RenamedTo
		if next == "" {
			break
		}
		name = next
	}
	return name
}

// folds are the forks of a line whose content id contains.
func (sv *Saver) folds(ctx context.Context, line string, ids ...string) (moves []journal.Move, names []string, err error) {
	forks, err := sv.forksOf(ctx, line)
	for _, f := range forks {
		for _, id := range ids {
			if f.ID == id || sv.commits.IsAncestor(ctx, f.ID, id) {
				moves = append(moves, journal.Move{Ref: f.Name, Old: f.ID, New: ""})
				names = append(names, refname.ShortRef(f.Name))
				break
			}
		}
	}
	return moves, names, err
}

func (sv *Saver) join(ctx context.Context, m MergeRequest, t session.Stand, ours, theirs string, bases []string) (Merged, error) {
	base, err := sv.history.VirtualBase(ctx, bases)
	if err != nil {
		return Merged{}, err
	}
	a, _, err := sv.thought(ctx, ours)
	if err != nil {
		return Merged{}, err
	}
	b, _, err := sv.thought(ctx, theirs)
	if err != nil {
		return Merged{}, err
	}
	Unsaid(a, base)
	Unsaid(b, base)
	c := merge.Checkpoints(base, a, b)
	c.MergeSources, c.Elsewhere = []string{ours, theirs}, a.Elsewhere || b.Elsewhere
	overlay(c, &m.Draft.Checkpoint)
	if c.Trigger = sage.Manual; m.Thesis != "" {
		c.Trigger = sage.Synthesis
		merge.Settle(c, m.Thesis, m.Confidence)
	}
	sv.knowOwn(c, m, ours, theirs)
	return sv.saveMerge(ctx, m, t, c, []string{ours, theirs})
}

// saveMerge writes c onto the line with these parents and folds forks.
func (sv *Saver) saveMerge(ctx context.Context, m MergeRequest, t session.Stand, c *sage.Checkpoint, parents []string) (Merged, error) {
	codec.Measure(c)
	m.Draft.Checkpoint = *c
	c, found, err := sv.prepare(m.Draft)
	if err != nil {
		return Merged{}, err
	}
	w := sv.ledger.NewWork(ctx, c, record.KindMerge, m.Draft)
	defer w.Stop()
	w.Saved.Redacted = redact.Merge(w.Saved.Redacted, found)
	if m.Thesis == "" && c.Thesis != sage.NeedsSynthesis {
		if open := sv.openBelow(ctx, parents...); open != nil {
			w.Trailers = [][2]string{{"Unsettled", open.ID}}
		}
	}
	w.Fill(ctx, sv.ledger, m.Draft.Automatic)
	folds, names, err := sv.folds(ctx, t.Line, parents...)
	if err != nil {
		return Merged{}, err
	}
	p := place{ref: refname.HeadRef(t.Line), old: parents[0], parents: parents, line: t.Line}
	if err := sv.attempt(ctx, w, p, folds...); err != nil {
		return Merged{}, err
	}
	sv.stoodAt(&w.Saved, t, w.Saved.ID)
	return Merged{Saved: w.Saved, Folded: names, Unsettled: c.Thesis == sage.NeedsSynthesis}, nil
}
