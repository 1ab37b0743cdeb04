package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
)

// A place is where a save goes.
type place struct {
	ref     string // to move
	old     string // its value; "" to create it
	parents []string
	line    string
	forked  bool
	lost    bool   // what the session saw is gone
	behind  string // the tip that the parents of a fork are known to lie behind; "" if they are not
	stand   stand
}

// place decides where a save goes. The cases, in order:
//
//  1. a line is named, or nobody restored anything: the tip of that line
//  2. a session's first save: the same
//  3. what was last seen is still the tip of its ref: that ref
//  4. only removals lie between what was seen and the tip: the tip
//  5. the line moved: a fork beside it, whose parent is what was seen
//
// A line that goes with git's branch and does not exist yet begins at the checkpoint
// that [Store.startOf] found.
func (s *Store) place(ctx context.Context, d Draft, stale bool) (place, error) {
	t := s.stand()
	if d.Line != "" {
		if err := CheckName(d.Line); err != nil {
			return place{}, err
		}
		if d.Line != t.Line {
			t = stand{Session: t.Session, Line: d.Line, Began: t.Began}
		}
	}
	if d.Parent != "" {
		id, err := s.Resolve(ctx, d.Parent)
		if err != nil {
			return place{}, err
		}
		t.Seen = id
	}
	lost := false
	if t.Seen != "" {
		var err error
		if lost, err = s.isGone(ctx, t.Seen); err != nil {
			return place{}, err
		}
	}
	if lost { // what the session saw is gone; that must not keep it from saving
		t.Seen, t.Ref = "", ""
	}
	tip, err := s.tipOf(ctx, t, stale)
	if err != nil {
		return place{}, err
	}
	if err := s.guard(ctx, t.ref(), tip); err != nil {
		return place{}, err
	}
	if tip == "" && t.Ref != "" && t.Ref != headRef(t.Line) { // the fork was merged meanwhile
		t.Ref = ""
		if tip, err = s.tip(ctx, t.ref()); err == nil {
			err = s.guard(ctx, t.ref(), tip)
		}
		if err != nil {
			return place{}, err
		}
	}
	if tip == "" {
		if err := s.checkNewName(t.Line); err != nil {
			return place{}, err
		}
	}
	if t.begins && tip != "" { // another one was faster to begin the line
		t.Seen = ""
	}
	if t.begins = t.begins && tip == "" && t.Seen != ""; t.begins {
		p := place{ref: t.ref(), parents: []string{t.Seen}, line: t.Line, lost: lost}
		t.Seen = ""
		p.stand = t
		return p, s.admit(ctx, p.parents[0], "")
	}
	if t.Seen != "" && t.Seen == s.standIn(tip) { // a purge is about to move the ref
		t.Seen = tip
	}
	p := place{ref: t.ref(), old: tip, line: t.Line, stand: t, lost: lost}
	if tip != "" {
		if err := s.holdsOne(ctx, p.ref, tip); err != nil {
			return p, err
		}
		p.parents = []string{tip}
	}
	if t.Seen == "" || t.Seen == tip || s.onlyRemovals(ctx, t.Seen, tip) { // 1-4
		return p, nil
	}
	return s.fork(ctx, p)
}

// holdsOne returns an error unless tip, the value of ref, is a commit of ours that
// can be read. A save that continued anything else would carry a stranger's history
// along, or none.
func (s *Store) holdsOne(ctx context.Context, ref, tip string) error {
	gone, err := s.isGone(ctx, tip)
	if gone {
		err = fmt.Errorf("'%s' is at %s, which cannot be read as a checkpoint; run 'git sage fsck'", shortRef(ref), short(tip))
	}
	return err
}

// isGone reports whether no commit of ours with this id can be read. That it cannot
// be told, for want of descriptors, processes or memory, is an error and means no
// such thing.
//
// While a gc works, what it puts elsewhere may be nowhere for a moment. What a prune took
// comes back from the backup.
func (s *Store) isGone(ctx context.Context, id string) (bool, error) {
	_, err := s.commitRecord(id)
	if errors.Is(err, ErrNotFound) && s.gcAtWork() {
		s.awaitCommit(ctx, id)
		_, err = s.commitRecord(id)
	}
	if errors.Is(err, ErrNotFound) && s.isBackedUp(id) {
		if _, terr := s.takeBack(ctx, true); terr == nil { // or another process did
			_, err = s.commitRecord(id)
		}
	}
	for _, want := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, want) {
			return false, fmt.Errorf("read checkpoint %s: %w", short(id), err)
		}
	}
	return err != nil, nil
}

// tipOf is the value of the ref that t is on. The one that the discovery brought
// is good enough for what compare-and-swap guards, if it is what t saw; whether
// the line moved must be asked anew.
func (s *Store) tipOf(ctx context.Context, t stand, stale bool) (string, error) {
	if !stale && s.where.ref == t.ref() && (t.Seen == "" || t.Seen == s.where.tip) {
		return s.where.tip, nil
	}
	if !stale && s.where.plain && t.Branch != "" { // the discovery asked for another one
		if tip := s.where.value(t.ref()); tip != "" && (t.Seen == "" || t.Seen == tip) {
			return tip, nil
		}
	}
	return s.tip(ctx, t.ref())
}

// fork places a save whose parent is no tip: 5.
func (s *Store) fork(ctx context.Context, p place) (place, error) {
	seen := p.stand.Seen
	if s.commitGraph(ctx).near(seen, p.old) {
		p.behind = p.old
	} else if err := s.admit(ctx, seen, ""); err != nil {
		return p, err
	}
	who := s.o.Session
	if who == "" {
		who = s.where.gitDir
	}
	taken, err := s.refs(ctx, forksPrefix+p.line)
	if err != nil {
		return p, err
	}
	p.parents, p.old, p.forked = []string{seen}, "", true
	name := session8(who)
	for n := 2; ; n++ {
		p.ref = forkRef(p.line, name)
		if !slices.ContainsFunc(taken, func(r ref) bool { return r.name == p.ref }) && s.guard(ctx, p.ref, "") == nil {
			return p, nil
		}
		name = fmt.Sprintf("%s-%d", session8(who), n)
	}
}

// onlyRemovals reports whether nothing but tombstones lies between seen and tip.
func (s *Store) onlyRemovals(ctx context.Context, seen, tip string) bool {
	if tip == "" || seen == "" {
		return false
	}
	for at := tip; at != seen; {
		r, err := s.commitRecord(at)
		if err != nil || r.Kind != KindTombstone || len(r.Parents) != 1 {
			return false
		}
		at = r.Parents[0]
	}
	return true
}
