package checks

import (
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
)

// LostRefs compares what the journal knows with the refs that git has. What
// others did to a ref of ours is no mistake of theirs, but it must not go unseen.
type LostRefs struct{ History *history.History }

func (c LostRefs) Run(p *pass.Pass) {
	var names []string
	for name := range p.Known {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, tip := p.Known[name], p.IDOf(name)
		if w.ID == "" || tip == w.ID || p.Broken(name) {
			continue
		}
		switch {
		case w.Entry.Agrees(tip) || c.History.Contains(p.Ctx, name, tip, w.ID) || p.PurgedInto(name, w.ID, tip): // as guard judges
		case tip == "":
			gone(p, name, w)
		default:
			movedAway(p, name, w, tip)
		}
	}
}

// gone names a ref that somebody deleted.
func gone(p *pass.Pass, name string, w pass.Value) {
	p.Add("lost-ref", name, fmt.Sprintf("the ref is gone, but %s was saved%s", p.Title(w.ID), onDay(w)), pass.FetchCure())
	p.Reset(name)
	p.OrAccept(name)
}

// movedAway names a ref that somebody moved back or aside, so that what we
// acknowledged is not on it any more.
func movedAway(p *pass.Pass, name string, w pass.Value, tip string) {
	p.Add("moved-ref", name, fmt.Sprintf("lost %s, saved%s; the ref was moved to %s", p.Title(w.ID), onDay(w), p.Title(tip)), pass.FetchCure())
	switch {
	case !p.Fits(name, w.ID): // only a clone may have it
	case p.Own[tip] && !p.Contains(w.ID, tip): // both are ours: only a person can tell
		p.EitherOf(name, []pass.Value{w, {ID: tip, Source: "the current ref"}})
	default:
		p.Mend(p.FixTo(name, w, tip))
	}
	p.OrAccept(name)
}

func onDay(w pass.Value) string {
	if w.When.IsZero() {
		return ""
	}
	return " on " + w.When.UTC().Format("2006-01-02 15:04") + " UTC"
}
