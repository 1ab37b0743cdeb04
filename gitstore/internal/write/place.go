package write

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
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
	stand   session.Stand
}

// ForksNext reports whether the session's next save goes to a fork, as far as can be told.
func (sv *Saver) ForksNext(ctx context.Context) bool {
	p, err := sv.place(ctx, ledger.Draft{})
	return err == nil && p.forked
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
// that [follow.Follower.startOf] found.
func (sv *Saver) place(ctx context.Context, d ledger.Draft) (place, error) {
	t := sv.session.Stand()
	if d.Line != "" {
		if err := refname.CheckTypedName(d.Line); err != nil {
			return place{}, err
		}
		if d.Line != t.Line {
			t = session.Stand{Session: t.Session, Line: d.Line, Began: t.Began}
		}
	}
	if d.Parent != "" {
		id, err := sv.commits.Resolve(ctx, d.Parent)
		if err != nil {
			return place{}, err
		}
		t.Seen = id
	}
	lost := false
	if t.Seen != "" {
		var err error
		if lost, err = sv.commits.IsGone(ctx, t.Seen); err != nil {
			return place{}, err
		}
	}
	if lost { // what the session saw is gone; that must not keep it from saving
		t.Seen, t.Ref = "", ""
	}
	tip, err := sv.repo.Tip(ctx, t.On())
	if err != nil {
		return place{}, err
	}
	if err := sv.history.Guard(ctx, t.On(), tip); err != nil {
		return place{}, err
	}
	if tip == "" && t.Ref != "" && t.Ref != refname.HeadRef(t.Line) { // the fork was merged meanwhile
		t.Ref = ""
		if tip, err = sv.repo.Tip(ctx, t.On()); err == nil {
			err = sv.history.Guard(ctx, t.On(), tip)
		}
		if err != nil {
			return place{}, err
		}
	}
	if tip == "" {
		if err := sv.repo.CheckNewName(t.Line); err != nil {
			return place{}, err
		}
	}
	if t.Begins && tip != "" { // another one was faster to begin the line
		t.Seen = ""
	}
	if t.Begins = t.Begins && tip == "" && t.Seen != ""; t.Begins {
		p := place{ref: t.On(), parents: []string{t.Seen}, line: t.Line, lost: lost}
		t.Seen = ""
		p.stand = t
		return p, sv.admission.Admit(ctx, p.parents[0], "")
	}
	if t.Seen != "" && t.Seen == sv.rewritten.StandIn(tip) { // a purge is about to move the ref
		t.Seen = tip
	}
	p := place{ref: t.On(), old: tip, line: t.Line, stand: t, lost: lost}
	if tip != "" {
		if err := sv.commits.HoldsOne(ctx, p.ref, tip); err != nil {
			return p, err
		}
		p.parents = []string{tip}
	}
	if t.Seen == "" || t.Seen == tip || sv.history.OnlyRemovals(ctx, t.Seen, tip) { // 1-4
		return p, nil
	}
	return sv.fork(ctx, p)
}

// fork places a save whose parent is no tip: 5.
func (sv *Saver) fork(ctx context.Context, p place) (place, error) {
	seen := p.stand.Seen
	if sv.history.CommitGraph(ctx).Near(seen, p.old) {
		p.behind = p.old
	} else if err := sv.admission.Admit(ctx, seen, ""); err != nil {
		return p, err
	}
	who := sv.repo.Options.Session
	if who == "" {
		who = sv.repo.Where.GitDir
	}
	taken, err := sv.repo.Refs(ctx, refname.ForksPrefix+p.line)
	if err != nil {
		return p, err
	}
	p.parents, p.old, p.forked = []string{seen}, "", true
	name := refname.Session8(who)
	for n := 2; ; n++ {
		p.ref = refname.ForkRef(p.line, name)
		if !slices.ContainsFunc(taken, func(r refname.Ref) bool { return r.Name == p.ref }) && sv.history.Guard(ctx, p.ref, "") == nil {
			return p, nil
		}
		name = fmt.Sprintf("%s-%d", refname.Session8(who), n)
	}
}
