package remotes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
)

// A Synced is what a sync did.
type Synced struct {
	Remote  string
	Arrived Arrived
	Merged  []exchange.Fetched
	Pushed  Pushed
	Unsent  error // why nothing was sent: [ErrUnshared], or a newer version writes there
}

const (
	maxRaces = 10 // how often a sync begins again because somebody else pushed meanwhile
	maxStill = 3  // and how often where a fetch sees nothing of that
)

// Sync fetches what a remote has, merges it by meaning, and pushes what the remote lacks. It may
// be repeated at any time.
func (r *Remotes) Sync(ctx context.Context, name string, w Way) (out Synced, err error) {
	ctx, done := r.alone(ctx, &w)
	defer done()
	out.Remote = name
	still := 0
	for range maxRaces {
		got, merged, err := r.takeIn(ctx, name, w)
		out.Arrived.Changed = out.Arrived.Changed || got.Changed
		out.Arrived.Notes = append(out.Arrived.Notes, got.Notes...)
		out.Arrived.Has, out.Arrived.Gone = got.Has, lists.Union(out.Arrived.Gone, got.Gone)
		out.Merged = append(slices.DeleteFunc(out.Merged, func(f exchange.Fetched) bool { return f.Act == exchange.FetchedRefused }), merged...)
		if err != nil {
			return out, err
		}
		if slices.ContainsFunc(merged, func(f exchange.Fetched) bool { return f.Newer }) {
			out.Unsent = fmt.Errorf("nothing is sent: a newer git-sage writes to '%s', and this one may not: upgrade it", legible.OneLine(name))
			return out, nil
		}
		p, err := r.Push(ctx, name, w)
		p.leavePurged(name, merged)
		out.Pushed.add(p)
		switch {
		case errors.Is(err, ErrUnshared):
			out.Unsent = err
			return out, nil
		case err != nil:
			return out, err
		case got.Changed:
			still = 0
		default:
			still++
		}
		if !p.outraced() || still >= maxStill { // it says so, and nobody did
			err = r.unhide(ctx, w, name, &out)
			r.noteSent(name, out.Pushed)
			if err == nil && !p.outraced() {
				err = r.takeOff(ctx, w, name, &out.Pushed)
			}
			return out, err
		}
	}
	return out, fmt.Errorf("push to '%s': %w", legible.OneLine(name), repo.ErrOutraced)
}

// leavePurged has a ref wait that a remote did not take because what it has there was purged here: to
// fetch that again brings nothing.
func (p *Pushed) leavePurged(name string, merged []exchange.Fetched) {
	for i, s := range p.Sent {
		if s.outraced && slices.ContainsFunc(merged, func(f exchange.Fetched) bool {
			return f.Act == exchange.FetchedHolds && f.Ref == refname.TrackingRef(name, s.Ref)
		}) {
			p.Sent[i].outraced, p.Sent[i].Err = false, remedy.For(errors.New("it still has purged content there"), remedy.FinishPush.On().To("replaces it"))
		}
	}
}

// takeIn fetches and merges.
func (r *Remotes) takeIn(ctx context.Context, name string, w Way) (got Arrived, merged []exchange.Fetched, err error) {
	got, err = r.Fetch(ctx, name, w)
	r.noteFetched(name, got, err)
	if err != nil {
		return got, nil, err
	}
	if r.repo.Options.Person && !w.Background && !r.agreed(name).Joined { // also where nobody has sent anything yet
		if err := r.say(name, func(c *agreement) { c.Joined = true }); err != nil {
			got.Notes = append(got.Notes, remedy.NoteOf(err))
		}
	}
	defer r.leaveOutFolded(ctx, name, &got)
	if got.Has == 0 {
		return got, nil, nil
	}
	ours, theirs := got.ours, got.theirs
	if theirs == nil {
		if ours, theirs, err = r.refs(ctx, name); err != nil {
			return got, nil, err
		}
	}
	r.leaveOutHeld(ctx, ours, theirs)
	if theirs[notes.TrackedAs] != "" {
		if _, err := r.notes.MergeFetched(ctx, name); err != nil { // which keeps nothing else from coming
			got.Notes = append(got.Notes, remedy.NoteOf(err))
		}
		delete(theirs, notes.TrackedAs)
	}
	if len(theirs) > 0 {
		merged, err = r.exchange.MergeFetched(ctx, name)
	}
	return got, merged, err
}

// fewAsked is of how many refs git is asked one by one whether ours holds theirs, 3 ms each: a merge
// looks through all that there is, which takes 100 ms at 10,000 checkpoints.
const fewAsked = 10

// leaveOutHeld leaves out of what a remote has what ours is or continues, which brings nothing.
func (r *Remotes) leaveOutHeld(ctx context.Context, ours []refname.Ref, theirs map[string]string) {
	asked := 0
	for _, ref := range ours {
		id := theirs[ref.Name]
		if id != "" && id != ref.ID && ref.Name != notes.TrackedAs {
			asked++
		}
		if id == ref.ID || id != "" && asked <= fewAsked && ref.Name != notes.TrackedAs && r.commits.IsAncestor(ctx, id, ref.ID) {
			delete(theirs, ref.Name)
		}
	}
}

// Pull fetches and merges.
func (r *Remotes) Pull(ctx context.Context, name string, w Way) (out Synced, err error) {
	ctx, done := r.alone(ctx, &w)
	defer done()
	out.Remote = name
	out.Arrived, out.Merged, err = r.takeIn(ctx, name, w)
	return out, err
}

// add takes in what another try did: the last word on a ref counts.
func (p *Pushed) add(more Pushed) {
	p.Sent = slices.DeleteFunc(p.Sent, func(s Sent) bool {
		return slices.ContainsFunc(more.Sent, func(o Sent) bool { return o.Ref == s.Ref })
	})
	p.Sent = append(p.Sent, more.Sent...)
	p.Notes, p.Anew = more.Notes, p.Anew || more.Anew
	p.Off = append(p.Off, more.Off...)
	p.Held, p.Again, p.Branch = more.Held, more.Again, p.Branch || more.Branch
}

func (r *Remotes) noteFetched(name string, got Arrived, err error) {
	now := r.repo.Options.Now()
	r.keep(name, func(s *State) {
		s.Tried, s.Why = now, ""
		if err != nil {
			s.Why = err.Error()
			return
		}
		s.Looked, s.Refs, s.Gone = now, got.Has, lists.Union(s.Gone, got.Gone)
	})
}

// noteSent keeps what a remote refused, and forgets what it has now.
func (r *Remotes) noteSent(name string, p Pushed) {
	old := r.state(name)
	if len(p.Sent) == 0 && len(old.Refused) == 0 {
		return
	}
	r.keep(name, func(s *State) {
		s.Refused, s.Reasons = map[string]string{}, map[string]string{}
		for _, sent := range p.Sent {
			if sent.Err != nil {
				s.Refused[sent.Ref], s.Reasons[sent.Ref] = sent.New, sent.Err.Error()
			} else {
				s.Gone = slices.DeleteFunc(s.Gone, func(ref string) bool { return ref == sent.Ref })
			}
		}
	})
}
