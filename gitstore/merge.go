package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Merge brings another line, fork or checkpoint into the current line, by
// meaning. Where theses disagree and m gives none, the result needs synthesis,
// and a later merge with a thesis settles it. Forks that the line then contains
// are folded away in the same transaction.
func (s *Store) Merge(ctx context.Context, m MergeRequest) (Merged, error) {
	if err := s.Enabled(); err != nil {
		return Merged{}, err
	}
	refs, err := s.takeRefs(m.Draft.Checkpoint.CodeRefs, nil)
	if err != nil {
		return Merged{}, err
	}
	m.Draft.Checkpoint.CodeRefs = refs
	out, err := healing(ctx, s, func() (Merged, error) { return s.merge(ctx, m) })
	if err == nil {
		out.Warnings = append(out.Warnings, s.tookBack()...)
	}
	return out, err
}

func (s *Store) merge(ctx context.Context, m MergeRequest) (Merged, error) {
	if m.Rev == "" && m.Thesis != "" {
		return s.settle(ctx, m)
	}
	if m.Rev == "" {
		return s.mergeForks(ctx, m)
	}
	id, err := s.Resolve(ctx, m.Rev)
	if err != nil {
		return Merged{}, err
	}
	return s.mergeID(ctx, m, id)
}

// mergeForks merges all forks of the current line, one after another.
func (s *Store) mergeForks(ctx context.Context, m MergeRequest) (out Merged, err error) {
	line := s.stand().Line
	forks, err := s.forksOf(ctx, line)
	if err != nil {
		return out, err
	}
	if len(forks) == 0 {
		return out, fmt.Errorf("line '%s' has no open forks: %w", line, ErrNothing)
	}
	for _, f := range forks {
		folded := out.Folded
		if out, err = s.mergeID(ctx, m, f.id); err != nil {
			return out, err
		}
		out.Folded = append(folded, out.Folded...)
	}
	return out, nil
}

func (s *Store) mergeID(ctx context.Context, m MergeRequest, theirs string) (Merged, error) {
	done, _ := s.turn(ctx)
	defer done()
	for range maxTries {
		out, err := s.tryMerge(ctx, m, theirs)
		if !errors.Is(err, errMoved) {
			return out, err
		}
	}
	return Merged{}, fmt.Errorf("merge: other writers were faster %d times", maxTries)
}

func (s *Store) tryMerge(ctx context.Context, m MergeRequest, theirs string) (Merged, error) {
	t := s.stand()
	ours, err := s.lineTip(ctx, t.Line)
	if err != nil {
		return Merged{}, err
	}
	if ours == "" && t.begins {
		if ours, err = s.begin(ctx, t); err != nil {
			return Merged{}, err
		}
	}
	if theirs == ours && t.Seen != "" && t.Seen != ours { // the line into the session's own fork
		theirs = t.Seen
	}
	if err := s.admit(ctx, theirs, ours); err != nil {
		return Merged{}, err
	}
	if ours == "" {
		return s.forward(ctx, t, "", theirs)
	}
	bases, err := s.bases(ctx, ours, theirs)
	if err != nil {
		return Merged{}, err
	}
	switch {
	case slices.Contains(bases, theirs):
		out, err := s.forward(ctx, t, ours, ours)
		out.UpToDate = true
		if m.Thesis != "" {
			out.Warnings = append(out.Warnings, "the thesis is not recorded: there is nothing to merge; save it as a checkpoint")
		}
		return out, err
	case slices.Contains(bases, ours) && m.Thesis == "": // else what the author says needs a commit of its own
		return s.forward(ctx, t, ours, theirs)
	}
	return s.join(ctx, m, t, ours, theirs, bases)
}

// begin makes the line that goes with git's branch where it begins: what is merged into
// it comes to that.
func (s *Store) begin(ctx context.Context, t stand) (tip string, err error) {
	if err = s.admit(ctx, t.Seen, ""); err != nil {
		return "", err
	}
	if err = s.guard(ctx, headRef(t.Line), ""); err == nil {
		err = s.move(ctx, "sage: branch from "+short(t.Seen), move{headRef(t.Line), "", t.Seen})
	}
	return t.Seen, err
}

// forward moves the line to a checkpoint that contains it and folds forks. It
// moves nothing when old is id.
func (s *Store) forward(ctx context.Context, t stand, old, id string) (Merged, error) {
	ref := headRef(t.Line)
	folds, names, err := s.folds(ctx, t.Line, id)
	if err != nil {
		return Merged{}, err
	}
	moves := folds
	if old != id {
		moves = append([]move{{ref, old, id}}, folds...)
	}
	if len(moves) > 0 {
		if err := s.move(ctx, fastForwardSays, moves...); err != nil {
			return Merged{}, err
		}
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return Merged{}, err
	}
	out := Merged{Saved: Saved{ID: id, Line: t.Line, Ref: ref, Parents: r.Parents, Description: r.Description}, FastForward: old != id, Folded: names}
	out.Unsettled = r.Thesis == sage.NeedsSynthesis
	s.stoodAt(&out.Saved, t, id)
	return out, nil
}

// stoodAt is standAt behind a merge that is done, which a position that cannot be
// kept does not undo: the session's next save goes beside the line.
func (s *Store) stoodAt(saved *Saved, t stand, id string) {
	if err := s.standAt(t, id); err != nil {
		saved.Warnings = append(saved.Warnings, err.Error())
	}
}

// standAt moves the session on to what it merged. A person at the shell is back
// on the line of the work tree, if that is the one that was merged into.
func (s *Store) standAt(t stand, id string) error {
	if s.o.Session == "" && t.Line == s.lineHere() {
		return s.forget()
	}
	t.Ref, t.Seen = headRef(t.Line), id
	return s.keepStand(t)
}

// forksOf are the forks of a line, also those that left it under an older name.
func (s *Store) forksOf(ctx context.Context, line string) ([]ref, error) {
	heads, err := s.refs(ctx, headsPrefix)
	if err != nil {
		return nil, err
	}
	notes, prefixes := s.notesAt(s.notes(ctx), heads), []string{forksPrefix + line}
	for old := range notes {
		if old != line && nowCalled(notes, old) == line {
			prefixes = append(prefixes, forksPrefix+old)
		}
	}
	return s.refs(ctx, prefixes...)
}

// nowCalled is the name that a line has after all renaming.
func nowCalled(notes map[string]LineNote, name string) string {
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
func (s *Store) folds(ctx context.Context, line string, ids ...string) (moves []move, names []string, err error) {
	forks, err := s.forksOf(ctx, line)
	for _, f := range forks {
		for _, id := range ids {
			if f.id == id || s.isAncestor(ctx, f.id, id) {
				moves = append(moves, move{f.name, f.id, ""})
				names = append(names, shortRef(f.name))
				break
			}
		}
	}
	return moves, names, err
}

func (s *Store) join(ctx context.Context, m MergeRequest, t stand, ours, theirs string, bases []string) (Merged, error) {
	base, err := s.virtualBase(ctx, bases)
	if err != nil {
		return Merged{}, err
	}
	a, err := s.thought(ours)
	if err != nil {
		return Merged{}, err
	}
	b, err := s.thought(theirs)
	if err != nil {
		return Merged{}, err
	}
	unsaid(a, base)
	unsaid(b, base)
	c := sage.Merge(base, a, b)
	c.MergeSources, c.Elsewhere = []string{ours, theirs}, a.Elsewhere || b.Elsewhere
	overlay(c, &m.Draft.Checkpoint)
	if c.Trigger = sage.Manual; m.Thesis != "" {
		c.Trigger = sage.Synthesis
		sage.Settle(c, m.Thesis, m.Confidence)
	}
	return s.saveMerge(ctx, m, t, c, []string{ours, theirs})
}

// saveMerge writes c onto the line with these parents and folds forks.
func (s *Store) saveMerge(ctx context.Context, m MergeRequest, t stand, c *sage.Checkpoint, parents []string) (Merged, error) {
	c.Measure()
	m.Draft.Checkpoint = *c
	c, found, err := s.prepare(m.Draft)
	if err != nil {
		return Merged{}, err
	}
	w := s.newWork(ctx, c, KindMerge, m.Draft)
	defer w.stop()
	w.saved.Redacted = redact.Merge(w.saved.Redacted, found)
	w.fill(ctx, s, m.Draft.Automatic)
	folds, names, err := s.folds(ctx, t.Line, parents...)
	if err != nil {
		return Merged{}, err
	}
	p := place{ref: headRef(t.Line), old: parents[0], parents: parents, line: t.Line}
	if err := s.attempt(ctx, w, p, folds...); err != nil {
		return Merged{}, err
	}
	s.stoodAt(&w.saved, t, w.saved.ID)
	return Merged{Saved: w.saved, Folded: names, Unsettled: c.Thesis == sage.NeedsSynthesis}, nil
}
