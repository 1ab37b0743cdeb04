package remotes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A fork whose line continues it goes away in every clone, see package exchange. It goes from the
// remote as well: a clone that still has it folds it when it takes in the line, and so does not
// push it back. Lines that were closed stay: clones keep their refs, to reopen them.

// folded are the forks that a remote has, that are not here, and that the tips of lines continue.
func (r *Remotes) folded(ctx context.Context, name string, ours []refname.Ref, theirs, tips map[string]string) (out []Sent) {
	forks := slices.DeleteFunc(slices.Sorted(maps.Keys(theirs)), func(ref string) bool { return !strings.HasPrefix(ref, refname.ForksPrefix) })
	if len(forks) == 0 {
		return nil
	}
	c, stays, here := r.agreed(name), r.state(name).Stays, tipsOf(ours)
	mayLeave, asked := r.mayLeave(c), 0
	for _, ref := range forks {
		id := theirs[ref]
		tip := tips[refname.HeadRef(lineOf(ref))]
		if here[ref] != "" || tip == "" || stays[ref] == id || !mayLeave(ref) {
			continue
		}
		if asked++; asked > fewAsked {
			break
		}
		if r.commits.IsAncestor(ctx, id, tip) {
			out = append(out, Sent{Ref: ref, Old: id})
		}
	}
	return out
}

func tipsOf(refs []refname.Ref) map[string]string {
	tips := map[string]string{}
	for _, ref := range refs {
		tips[ref.Name] = ref.ID
	}
	return tips
}

// takeOff removes forks from a remote that its own line continues, each only if it still is what
// was fetched. What the remote does not let go of stays, and is not tried again.
func (r *Remotes) takeOff(ctx context.Context, w Way, name string, p *Pushed) error {
	if r.Sealed(name) {
		return nil
	}
	forks, err := r.repo.Refs(ctx, refname.TrackingRef(name, refname.ForksPrefix))
	if err != nil || len(forks) == 0 {
		return err
	}
	ours, theirs, err := r.refs(ctx, name)
	if err != nil {
		return err
	}
	list := r.folded(ctx, name, ours, theirs, theirs)
	if len(list) == 0 {
		return nil
	}
	push, err := r.pushURLs(ctx, name)
	if err != nil || r.Moved(name, push) || r.becameSealed(ctx, name) {
		return err
	}
	branch := r.agreed(name).Branch
	args, by := slices.Clone(pushing), map[string]Sent{}
	for _, s := range list {
		there := placeOf(s.Ref, branch)
		by[there] = s
		args = append(args, "--force-with-lease="+there+":"+s.Old)
	}
	args = append(args, "--end-of-options", name)
	for _, s := range list {
		args = append(args, ":"+placeOf(s.Ref, branch))
	}
	out, _ := r.talk(ctx, w, name, noting(name, branch), args...) // what fails is tried by the next sync
	stays := map[string]string{}
	var gone strings.Builder
	for _, a := range answers(out) {
		s, ok := by[a.there]
		switch {
		case !ok:
		case a.flag == "-":
			p.Off = append(p.Off, s)
			if tip, err := r.repo.Tip(ctx, refname.TrackingRef(name, s.Ref)); err == nil && tip == s.Old {
				fmt.Fprintf(&gone, "delete %s %s\n", refname.TrackingRef(name, s.Ref), s.Old)
			}
		case a.flag == "!" && !git.Outraced(a.summary):
			stays[s.Ref] = s.Old
		}
	}
	if len(stays) > 0 {
		r.keep(name, func(s *State) {
			for ref, id := range s.Stays { // what stayed before, as long as it is there
				if theirs[ref] == id {
					stays[ref] = id
				}
			}
			s.Stays = stays
		})
	}
	if gone.Len() == 0 {
		return nil
	}
	if _, err := r.repo.Git.Feed(ctx, []byte(gone.String()), "update-ref", "--stdin"); err != nil {
		return fmt.Errorf("note what '%s' has now: %w", legible.OneLine(name), err)
	}
	return nil
}

// leaveOutFolded leaves out of what a remote has deleted what is not here either: its line has it.
func (r *Remotes) leaveOutFolded(ctx context.Context, name string, got *Arrived) {
	if len(got.Gone) == 0 {
		return
	}
	ours, _, err := r.refs(ctx, name)
	if err != nil {
		return
	}
	here := tipsOf(ours)
	isFolded := func(ref string) bool { return strings.HasPrefix(ref, refname.ForksPrefix) && here[ref] == "" }
	if got.Gone = slices.DeleteFunc(got.Gone, isFolded); slices.ContainsFunc(r.state(name).Gone, isFolded) {
		r.keep(name, func(s *State) { s.Gone = slices.DeleteFunc(s.Gone, isFolded) })
	}
}
