package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// settle gives the unsettled merge at the tip of the line its thesis.
func (s *Store) settle(ctx context.Context, m MergeRequest) (Merged, error) {
	done, _ := s.turn(ctx)
	defer done()
	t := s.stand()
	tip, err := s.lineTip(ctx, t.Line)
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
	done, _ := s.turn(ctx)
	defer done()
	t := s.stand()
	tip, err := s.lineTip(ctx, t.Line)
	if err != nil || tip == "" {
		return Record{}, cmp.Or(err, fmt.Errorf("no merge to abort: %w", ErrNothing))
	}
	r, err := s.commitRecord(tip)
	if err != nil {
		return r, err
	}
	if len(r.Parents) != 2 || r.Thesis != sage.NeedsSynthesis {
		return r, fmt.Errorf("no unsettled merge at the tip of '%s': %w", t.Line, ErrNothing)
	}
	if r.isJoin() {
		return r, errors.New("every clone makes the same merge of what was fetched, and would again; 'git sage merge --thesis <synthesis>' settles it")
	}
	if err := s.notPushed(ctx, headRef(t.Line), r); err != nil {
		return r, err
	}
	moves := []move{{headRef(t.Line), tip, r.Parents[0]}}
	if !s.heldElsewhere(ctx, t.Line, r.Parents[1]) {
		moves = append(moves, move{forkRef(t.Line, session8(r.Parents[1])), "", r.Parents[1]})
	}
	back, err := s.commitRecord(r.Parents[0])
	if err == nil {
		err = s.announce(moves, abortSays)
	}
	if err == nil { // one that kept its position would go on from what is no longer there
		err = s.moveThen(ctx, abortSays, func() error { return s.standAt(t, back.ID) }, moves...)
	}
	if err != nil {
		return r, fmt.Errorf("abort merge: %w", err)
	}
	return back, nil
}

// heldElsewhere reports whether another ref than the line's holds id.
func (s *Store) heldElsewhere(ctx context.Context, line, id string) bool {
	out, err := s.git.Run(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)", headsPrefix, forksPrefix)
	names := strings.Fields(string(out))
	return err == nil && slices.ContainsFunc(names, func(n string) bool { return n != headRef(line) })
}

func (s *Store) notPushed(ctx context.Context, ref string, r Record) error {
	where, err := s.heldByRemote(ctx, ref, r.ID, r.Time)
	if where != "" {
		err = fmt.Errorf("the merge was pushed (%s); settle it with a thesis instead", where)
	}
	return err
}
