package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Merge brings another line, fork or checkpoint into the current line, by
// meaning. Where theses disagree and m gives none, the result needs synthesis,
// and a later merge with a thesis settles it. Forks that the line then contains
// are folded away in the same transaction.
func (s *Store) Merge(ctx context.Context, m MergeRequest) (Merged, error) {
	if !s.flag("sage.enabled", true) {
		return Merged{}, ErrDisabled
	}
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
	forks, err := s.refs(ctx, forksPrefix+line)
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
	done, _ := s.queue(ctx)
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
	line := headRef(t.Line)
	ours, err := s.tip(ctx, line)
	if err != nil {
		return Merged{}, err
	}
	if theirs == ours && t.Seen != "" && t.Seen != ours { // the line into the session's own fork
		theirs = t.Seen
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
		if err := s.move(ctx, "sage: merge: fast-forward", moves...); err != nil {
			return Merged{}, err
		}
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return Merged{}, err
	}
	out := Merged{Saved: Saved{ID: id, Line: t.Line, Ref: ref, Parents: r.Parents, Description: r.Description}, FastForward: old != id, Folded: names}
	out.Unsettled = r.Thesis == sage.NeedsSynthesis
	return out, s.standAt(t, id)
}

// standAt moves the session on to what it merged. A person at the shell is back
// on the line's tip.
func (s *Store) standAt(t stand, id string) error {
	if s.o.Session == "" {
		return s.forget()
	}
	t.Ref, t.Seen = headRef(t.Line), id
	return s.keepStand(t)
}

// folds are the forks of a line whose content id contains.
func (s *Store) folds(ctx context.Context, line string, ids ...string) (moves []move, names []string, err error) {
	forks, err := s.refs(ctx, forksPrefix+line)
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
	c.MergeSources = []string{ours, theirs}
	overlay(c, &m.Draft.Checkpoint)
	if c.Trigger = sage.Manual; m.Thesis != "" {
		c.Trigger = sage.Synthesis
		sage.Settle(c, m.Thesis, m.Confidence)
	}
	return s.saveMerge(ctx, m, t, c, []string{ours, theirs})
}

// unsaid fills what a side says nothing about from the base. A short save names
// a thesis and no more; that does not mean to drop the question and all evidence.
func unsaid(side, base *sage.Checkpoint) {
	if base == nil {
		return
	}
	for _, f := range [][2]*string{
		{&side.CoreQuestion, &base.CoreQuestion}, {&side.ReasoningTrace, &base.ReasoningTrace},
		{&side.Action.Goal, &base.Action.Goal}, {&side.Action.Type, &base.Action.Type}, {&side.Action.Deadline, &base.Action.Deadline},
	} {
		if *f[0] == "" {
			*f[0] = *f[1]
		}
	}
	fillEmpty(&side.KeyEvidence, base.KeyEvidence)
	fillEmpty(&side.OpenQuestions, base.OpenQuestions)
	fillEmpty(&side.Sources, base.Sources)
	fillEmpty(&side.Tensions, base.Tensions)
	fillEmpty(&side.UniqueContributions, base.UniqueContributions)
	fillEmpty(&side.CodeRefs, base.CodeRefs)
	fillEmpty(&side.FilesExplored, base.FilesExplored)
	fillEmpty(&side.FilesChanged, base.FilesChanged)
	fillEmpty(&side.Action.Stakeholders, base.Action.Stakeholders)
	if len(side.DomainData) == 0 && side.Domain == "" {
		side.Domain, side.DomainData = base.Domain, base.DomainData
	}
	if len(side.Fields) == 0 {
		side.Fields = base.Fields
	}
}

func fillEmpty[T any](side *[]T, base []T) {
	if len(*side) == 0 {
		*side = base
	}
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
	w.saved.Redacted = found
	w.fill(ctx, s, m.Draft.Automatic)
	folds, names, err := s.folds(ctx, t.Line, parents...)
	if err != nil {
		return Merged{}, err
	}
	p := place{ref: headRef(t.Line), old: parents[0], parents: parents, line: t.Line}
	if err := s.attempt(ctx, w, p, folds...); err != nil {
		return Merged{}, err
	}
	out := Merged{Saved: w.saved, Folded: names, Unsettled: c.Thesis == sage.NeedsSynthesis}
	return out, s.standAt(t, w.saved.ID)
}

// settle gives the unsettled merge at the tip of the line its thesis.
func (s *Store) settle(ctx context.Context, m MergeRequest) (Merged, error) {
	done, _ := s.queue(ctx)
	defer done()
	t := s.stand()
	tip, err := s.tip(ctx, headRef(t.Line))
	if err != nil {
		return Merged{}, err
	}
	if tip == "" {
		return Merged{}, fmt.Errorf("line '%s' has no checkpoint yet: %w", t.Line, ErrNothing)
	}
	c, err := s.thought(tip)
	if err != nil {
		return Merged{}, err
	}
	if c.Thesis != sage.NeedsSynthesis {
		return Merged{}, fmt.Errorf("the newest checkpoint of '%s' needs no synthesis: %w", t.Line, ErrNothing)
	}
	overlay(c, &m.Draft.Checkpoint)
	c.Description = m.Draft.Checkpoint.Description
	c.Trigger, c.Time, c.Session, c.Agent, c.Code = sage.Synthesis, s.o.Now(), "", "", sage.CodeState{}
	sage.Settle(c, m.Thesis, m.Confidence)
	return s.saveMerge(ctx, m, t, c, []string{tip})
}

// AbortMerge takes back the unsettled merge at the tip of the current line: the
// line is again what it was, and what was merged into it is a fork again. A
// merge that a remote has stays; settle that one.
func (s *Store) AbortMerge(ctx context.Context) (Record, error) {
	done, _ := s.queue(ctx)
	defer done()
	t := s.stand()
	tip, err := s.tip(ctx, headRef(t.Line))
	if err != nil || tip == "" {
		return Record{}, errors.Join(err, fmt.Errorf("no merge to abort: %w", ErrNothing))
	}
	r, err := s.commitRecord(tip)
	if err != nil {
		return r, err
	}
	if len(r.Parents) != 2 || r.Thesis != sage.NeedsSynthesis {
		return r, fmt.Errorf("no unsettled merge at the tip of '%s': %w", t.Line, ErrNothing)
	}
	if err := s.notPushed(ctx, tip); err != nil {
		return r, err
	}
	moves := []move{{headRef(t.Line), tip, r.Parents[0]}}
	if !s.heldElsewhere(ctx, t.Line, r.Parents[1]) {
		moves = append(moves, move{forkRef(t.Line, session8(r.Parents[1])), "", r.Parents[1]})
	}
	if err := s.move(ctx, "sage: abort merge", moves...); err != nil {
		return r, fmt.Errorf("abort merge: %w", err)
	}
	back, err := s.commitRecord(r.Parents[0])
	if err == nil {
		err = s.standAt(t, back.ID)
	}
	return back, err
}

// heldElsewhere reports whether another ref than the line's holds id.
func (s *Store) heldElsewhere(ctx context.Context, line, id string) bool {
	out, err := s.git.Run(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)", headsPrefix, forksPrefix)
	names := strings.Fields(string(out))
	return err == nil && slices.ContainsFunc(names, func(n string) bool { return n != headRef(line) })
}

func (s *Store) notPushed(ctx context.Context, id string) error {
	out, err := s.git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, "--format=%(refname)", remotePrefix)
	if err != nil {
		return err
	}
	if len(out) > 0 {
		return fmt.Errorf("the merge was pushed (%s); settle it with a thesis instead", shortRef(text(out)))
	}
	return nil
}

// MergeBase returns the best common ancestor of two checkpoints, or "".
func (s *Store) MergeBase(ctx context.Context, a, b string) (string, error) {
	bases, err := s.bases(ctx, a, b)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// bases returns all best common ancestors, by id.
func (s *Store) bases(ctx context.Context, a, b string) ([]string, error) {
	out, err := s.git.Run(ctx, "merge-base", "--all", a, b)
	if err != nil && len(out) == 0 {
		return nil, noBase(err)
	}
	ids := strings.Fields(string(out))
	slices.Sort(ids)
	return ids, nil
}

// virtualBase merges several bases into one, in the order of their ids, so that
// every clone gets the same.
func (s *Store) virtualBase(ctx context.Context, bases []string) (*sage.Checkpoint, error) {
	if len(bases) == 0 {
		return nil, nil
	}
	virtual, err := s.thought(bases[0])
	for _, id := range bases[1:] {
		if err != nil {
			return nil, err
		}
		var next *sage.Checkpoint
		if next, err = s.thought(id); err != nil {
			return nil, err
		}
		older, e := s.bases(ctx, bases[0], id)
		if e != nil {
			return nil, e
		}
		var root *sage.Checkpoint
		if len(older) > 0 {
			if root, err = s.thought(older[0]); err != nil {
				return nil, err
			}
		}
		virtual = sage.Merge(root, virtual, next)
		virtual.ID = bases[0]
	}
	return virtual, err
}

// thought is the checkpoint at a commit, or the one that a tombstone follows.
func (s *Store) thought(id string) (*sage.Checkpoint, error) {
	at, err := s.skipTombstones(id)
	if err != nil {
		return nil, err
	}
	return s.load(at)
}
