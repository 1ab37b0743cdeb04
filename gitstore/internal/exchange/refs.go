package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// newFetching reads our refs and what remotes had. It is an error if there
// is nothing that was fetched from a remote that is named, or from any.
func (e *Exchange) newFetching(ctx context.Context, at time.Time, remotes []string) (*fetching, error) {
	refs, err := e.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef, refname.RemotePrefix)
	if err != nil {
		return nil, err
	}
	f := &fetching{s: e, ctx: ctx, h: e.joinGraph(ctx), local: map[string]string{}, offers: map[string][]offer{}, known: map[string][]offer{}, waits: e.readPatience(), at: at}
	seen := map[string]bool{}
	for _, r := range refs {
		remote, name := refname.Tracks(r.Name)
		if remote == "" {
			f.local[r.Name] = r.ID
			continue
		}
		if seen[remote] = true; name == notes.TrackedAs { // which package notes merges
			continue
		}
		f.known[name] = append(f.known[name], offer{remote, r.ID})
		if len(remotes) == 0 || slices.Contains(remotes, remote) {
			f.offers[name] = append(f.offers[name], offer{remote, r.ID})
		}
	}
	if err := e.unfetched(ctx, remotes, seen); err != nil {
		return f, err
	}
	return f, f.verify()
}

// verify judges all that is offered, before anything of it is taken in.
func (f *fetching) verify() (err error) {
	if f.v, err = f.s.admission.Verifier(f.ctx, false); err != nil {
		return err
	}
	var tips []string
	records := map[string]rewritten.Replacements{}
	for name, offers := range f.offers {
		for _, o := range offers {
			tips = append(tips, o.id)
			if name == refname.KnowledgeRef && !f.v.Accepted[o.id] {
				if records[o.id], err = f.s.rewritten.OthersRecords(f.ctx, o.id); err != nil {
					f.v.Verdicts[o.id] = err
				}
			}
		}
	}
	return f.v.JudgeAll(tips, records)
}

// tags makes the tags that are not here. One that is here stays: others rely on it.
func (f *fetching) tags() error {
	for _, name := range f.names(refname.TagsPrefix) {
		p := plan{Fetched: Fetched{Ref: name, Old: f.local[name]}}
		at := p.Old
		for _, o := range f.offers[name] {
			switch {
			case o.id == at || !f.fit(&p, o):
			case at == "":
				at, p.Act, p.New, p.Remotes = o.id, FetchedNew, o.id, []string{o.remote}
			default:
				f.refuse(Fetched{Ref: name, Old: p.Old, Remotes: []string{o.remote}},
					remedy.For(fmt.Errorf("it is %s there and %s here; tags do not change", record.Short(o.id), record.Short(at)), remedy.DeleteTag.On(strings.TrimPrefix(name, refname.TagsPrefix))))
			}
		}
		if p.New != "" {
			f.planned = append(f.planned, p)
		}
	}
	return f.ctx.Err()
}

// forks brings forks forward and folds those that their line contains.
func (f *fetching) forks() error {
	if len(f.names(refname.ForksPrefix)) == 0 && len(f.out) == 0 {
		return nil // nothing can have changed
	}
	for _, name := range f.names(refname.ForksPrefix) {
		if checkRef(name) == nil {
			f.offers[name] = slices.DeleteFunc(f.offers[name], func(o offer) bool { return f.folded(name, o.id) })
		}
		if err := f.bring(name, f.h.join); err != nil {
			return err
		}
	}
	if err := f.apply(); err != nil {
		return err
	}
	for name, id := range f.local {
		if strings.HasPrefix(name, refname.ForksPrefix) && f.folded(name, id) {
			f.planned = append(f.planned, plan{Fetched: Fetched{Ref: name, Act: FetchedFolded, Old: id}})
		}
	}
	slices.SortFunc(f.planned, func(a, b plan) int { return strings.Compare(a.Ref, b.Ref) })
	return f.ctx.Err()
}

// folded reports whether the line of a fork contains id.
func (f *fetching) folded(fork, id string) bool {
	line, _, _ := strings.Cut(strings.TrimPrefix(fork, refname.ForksPrefix), "/")
	if f.h.Contains(f.local[refname.HeadRef(line)], id) {
		return true
	}
	if f.notes == nil {
		f.notes = f.s.follow.Notes(f.ctx)
	}
	now := write.NowCalled(f.notes, line)
	return now != line && f.h.Contains(f.local[refname.HeadRef(now)], id)
}

// apply does what is planned: all refs in one transaction or, if something keeps
// that from succeeding, each by itself.
func (f *fetching) apply() error {
	plans := f.planned
	f.planned = nil
	if len(plans) == 0 {
		return nil
	}
	var objects []loose.Object
	for _, p := range plans {
		objects = append(objects, p.objects...)
	}
	if err := f.s.backup.Put(f.ctx, objects...); err != nil {
		return err
	}
	err := f.move(plans...)
	if err == nil || errors.Is(err, journal.ErrMoved) || len(plans) == 1 {
		return f.report(err, plans...)
	}
	for _, p := range plans {
		if err := f.report(f.move(p), p); err != nil {
			return err
		}
	}
	return nil
}

func (f *fetching) move(plans ...plan) error {
	var objects []loose.Object
	var moves []journal.Move
	for _, p := range plans {
		objects = append(objects, p.objects...)
		moves = append(moves, journal.Move{Ref: p.Ref, Old: p.Old, New: p.New})
	}
	_, err := f.s.ledger.MoveTo(f.ctx, journal.FetchedSays, objects, moves, nil, ownership.Making{Sums: f.s.ownJoins(objects), At: f.at})
	return err
}

// ownJoins are the joins among some objects that hold nothing but one's own.
func (e *Exchange) ownJoins(objects []loose.Object) (ids []string) {
	for _, o := range objects {
		var r record.Record
		if o.Type != "commit" || !r.ParseCommit(o.Data) || !r.IsJoin() {
			continue
		}
		foreign := slices.ContainsFunc(r.Parents, func(p string) bool {
			at, err := e.commits.SkipTombstones(p)
			return err != nil || !e.ownership.IsOwn(at)
		})
		if !foreign {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func (f *fetching) report(err error, plans ...plan) error {
	switch {
	case errors.Is(err, journal.ErrMoved) || f.ctx.Err() != nil:
		return cmp.Or(err, f.ctx.Err())
	case err != nil:
		f.refuse(plans[0].Fetched, err)
		return nil
	}
	for _, p := range plans {
		f.out = append(f.out, p.Fetched)
		if f.local[p.Ref] = p.New; p.New == "" {
			delete(f.local, p.Ref)
		}
	}
	return nil
}
