package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Fetched says what became of one of our refs, or why it was left alone.
type Fetched struct {
	Ref       string // full name
	Act       FetchedAct
	Old, New  string      // what it was and is; "" is none
	Remotes   []string    // whose tips differed from ours, by name
	Detail    remedy.Note // of what was refused, purged, waits or is still held: why; of knowledge: files whose versions disagree
	Unsettled bool        // the theses of what came together disagree
	Newer     bool        // refused, for a newer version wrote it
}

// Name is the ref as people type it.
func (f Fetched) Name() string { return refname.ShortRef(f.Ref) }

// A FetchedAct is what was done with a ref.
type FetchedAct string

// What is done with a ref.
const (
	FetchedNew     FetchedAct = "new"     // there was none of that name
	FetchedForward FetchedAct = "forward" // it moved on to a tip that continues it
	FetchedMerged  FetchedAct = "merged"  // a commit was made that continues all tips
	FetchedFolded  FetchedAct = "folded"  // a fork that its line contains went away
	FetchedWaits   FetchedAct = "waits"   // nothing new but merges; another clone brings them together
	FetchedPurged  FetchedAct = "purged"  // somebody took out for good what it held
	FetchedHolds   FetchedAct = "holds"   // a remote still had what was purged here: the ref is what was fetched from it
	FetchedRefused FetchedAct = "refused" // what a remote has cannot be taken in; ours stays
)

// MergeFetched brings our refs forward to what was fetched from remotes, from all
// of them if none is named, and says which refs that changed or could not change.
// It fetches nothing: it reads refs/sage/remotes/<remote>/, where
//
//	git fetch <remote> '+refs/sage/heads/*:refs/sage/remotes/<remote>/heads/*' \
//	  '+refs/sage/forks/*:refs/sage/remotes/<remote>/forks/*' \
//	  '+refs/sage/tags/*:refs/sage/remotes/<remote>/tags/*' \
//	  '+refs/sage/knowledge*:refs/sage/remotes/<remote>/knowledge*'
//
// puts it; refs/sage/* would bring along what the remote itself fetched. A ref that
// is not here is made; one that others continued moves on; where both sides moved, a
// merge is made that is the same on every clone, see the package converge and
// [history.join]. A tag that is here stays what it is. What a remote no longer has
// stays here. A tip that cannot be read, or is of a newer version, is refused by
// itself. What was purged goes from what was fetched, too, and the remotes that had it
// are named.
func (e *Exchange) MergeFetched(ctx context.Context, remotes ...string) ([]Fetched, error) {
	if err := e.repo.Enabled(); err != nil {
		return nil, err
	}
	done := e.backup.Turn(ctx)
	defer done()
	if err := e.knowledge.AdoptVersions(ctx); err != nil { // what comes then would count as one's own
		return nil, err
	}
	purged, err := e.purge.Adopt(ctx)
	if err != nil {
		return nil, err
	}
	at := e.repo.Options.Now()
	for range repo.MaxTries {
		out, err := backup.Healing(ctx, e.backup, func() ([]Fetched, error) { return e.tryFetched(ctx, at, remotes) })
		if !errors.Is(err, journal.ErrMoved) {
			if err == nil {
				err = e.confirm.TakeTrusted(ctx)
			}
			return slices.Concat(adopted(purged), out, holding(purged)), cmp.Or(err, e.rewritten.IndexPurges(ctx))
		}
	}
	return nil, fmt.Errorf("merge: %w", repo.ErrOutraced)
}

func (e *Exchange) tryFetched(ctx context.Context, at time.Time, remotes []string) ([]Fetched, error) {
	f, err := e.newFetching(ctx, at, remotes)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{f.knowledge, f.heads, f.tags, f.forks} {
		if err := step(); err != nil {
			return f.out, err
		}
		if err := f.apply(); err != nil {
			return f.out, err
		}
	}
	f.waits.keep(e)
	f.keepRefused()
	return f.out, cmp.Or(f.noteArrivals(), ctx.Err())
}

// noteArrivals notes by which remote came what our refs did not have before.
func (f *fetching) noteArrivals() error {
	by := map[string][]string{}
	for _, r := range f.out {
		if r.Act == FetchedNew || r.Act == FetchedForward || r.Act == FetchedMerged {
			for _, o := range f.offers[r.Ref] {
				by[o.remote] = append(by[o.remote], o.id)
			}
		}
	}
	for _, remote := range slices.Sorted(maps.Keys(by)) {
		if err := f.s.ownership.NoteArrivals(f.at, remote, f.v.Brings(by[remote])); err != nil {
			return fmt.Errorf("record what came by '%s': %w", remote, err)
		}
	}
	return nil
}

// A fetching is one run of MergeFetched.
type fetching struct {
	s       *Exchange
	ctx     context.Context
	h       *joinGraph
	local   map[string]string  // our refs
	offers  map[string][]offer // by our ref's name, of the remotes that were named
	known   map[string][]offer // the same of all remotes
	notes   map[string]commits.LineNote
	waits   *patience
	v       *admission.Verifier // of all that is offered
	planned []plan
	refused []Refused
	out     []Fetched
	at      time.Time // of all that it moves
}

// An offer is a tip that a remote has.
type offer struct{ remote, id string }

// A plan is what is to be done with one ref.
type plan struct {
	Fetched
	objects []loose.Object // to be written first
}

// heads brings the lines forward.
func (f *fetching) heads() error {
	for _, name := range f.names(refname.HeadsPrefix) {
		if err := f.bring(name, f.h.join); err != nil {
			return err
		}
	}
	return f.ctx.Err()
}

// names are our names of the refs below a prefix that remotes offer.
func (f *fetching) names(prefix string) (out []string) {
	for name := range f.offers {
		if strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// A joint is a join that was made, and is not yet written.
type joint struct {
	commit    loose.Object
	objects   []loose.Object // the commit too
	unsettled bool
	detail    string // what waits for a person
}

// A joiner makes a join of tips.
type joiner func(parents []string) (joint, error)

// bring plans what is to be done with one ref. Trouble with that ref alone is
// reported and no error.
func (f *fetching) bring(name string, join joiner) error {
	p := plan{Fetched: Fetched{Ref: name, Old: f.local[name]}}
	ref := converge.Ref{Local: p.Old, Remotes: len(f.known[name]), Made: f.waits.made(name, p.Old)}
	for _, o := range f.known[name] {
		ref.Known = append(ref.Known, o.id)
	}
	for _, o := range f.offers[name] {
		if o.id != p.Old && f.fit(&p, o) {
			ref.Offered = append(ref.Offered, o.id)
			p.Remotes = append(p.Remotes, o.remote)
		}
	}
	if len(ref.Offered) == 0 {
		return nil
	}
	err := f.fitOwn(p.Fetched)
	if err == nil {
		err = f.decide(&p, ref, join)
	}
	if errors.Is(err, journal.ErrMoved) {
		return err
	}
	if err != nil {
		f.refuse(p.Fetched, err)
	}
	return nil
}

func (f *fetching) decide(p *plan, ref converge.Ref, join joiner) error {
	step, err := converge.Decide(f.h, ref)
	if err != nil {
		return err
	}
	if step.Act == converge.Wait && !f.waits.patient(p.Ref, ref, step.Patience) {
		step.Act = converge.Join
	}
	switch step.Act {
	case converge.Stay:
		return nil
	case converge.Wait:
		p.Act, p.New, p.Detail = FetchedWaits, p.Old, remedy.Notef("has the same checkpoints; another clone unites the merges")
		f.out = append(f.out, p.Fetched)
		return nil
	case converge.Forward:
		p.Act, p.New = FetchedForward, step.Tips[0]
		r, err := f.h.Record(p.New)
		if p.Unsettled = r.Thesis == sage.NeedsSynthesis; err != nil {
			return err
		}
	case converge.Join:
		j, err := join(step.Tips)
		if err != nil {
			return err
		}
		p.Act, p.New, p.objects = FetchedMerged, j.commit.ID, j.objects
		p.Unsettled, p.Detail = j.unsettled, remedy.Note{Text: j.detail}
		f.waits.joined(p.Ref, j.commit.ID)
	}
	if p.Old == "" && p.Act == FetchedForward {
		p.Act = FetchedNew
	}
	f.planned = append(f.planned, *p)
	return nil
}

func (f *fetching) refuse(r Fetched, err error) {
	var newer *record.NewerError
	r.Act, r.New, r.Detail = FetchedRefused, r.Old, remedy.NoteOf(err)
	r.Newer = errors.As(err, &newer) || errors.Is(err, repo.ErrNewer)
	f.out = append(f.out, r)
}

// fit reports whether a tip can be taken in, and says so if not.
func (f *fetching) fit(p *plan, o offer) bool {
	err := checkRef(p.Ref)
	if err == nil {
		err = f.h.fit(o.id, kindsOf(p.Ref))
	}
	if err == nil {
		err = f.v.Verdict(o.id)
	}
	var odd *admission.OddError
	if p.Ref == refname.KnowledgeRef && (err == nil || errors.As(err, &odd)) {
		err = cmp.Or(f.fitTrees(o.id), err) // who can say what to do about a file says more
	}
	if p.Ref == refname.KnowledgeRef && errors.As(err, &odd) {
		err = toPurge(err, odd.Path)
	}
	var notFetched *repo.NotFetchedError
	if f.s.admission.IsLeftOut(err) && !errors.As(err, &notFetched) {
		err = f.s.repo.NotFetched("some of it")
	}
	if err != nil {
		f.refuse(Fetched{Ref: p.Ref, Old: p.Old, Remotes: []string{o.remote}}, err)
		r := Refused{Remote: o.remote, Ref: p.Ref, ID: o.id, Why: err.Error()}
		if known := remedy.Of(err); len(known) > 0 {
			r.Remedy = known[0]
		}
		f.refused = append(f.refused, r)
	}
	return err == nil
}

// fitOwn looks at our own tip, or at what becomes of it not being there.
func (f *fetching) fitOwn(r Fetched) error {
	if err := f.s.history.Guard(f.ctx, r.Ref, r.Old); err != nil || r.Old == "" {
		return err
	}
	if err := f.h.fit(r.Old, kindsOf(r.Ref)); err != nil {
		return repo.Unsoundf("our own: %w", err)
	}
	return nil
}

// checkRef checks the name of a ref of ours.
func checkRef(name string) error {
	rest, ok := strings.CutPrefix(name, refname.ForksPrefix)
	if !ok {
		rest = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, refname.HeadsPrefix), refname.TagsPrefix), "refs/sage/")
	}
	parts := strings.Split(rest, "/")
	if !ok && len(parts) != 1 {
		return fmt.Errorf("%w '%s': too many parts for the name of a line or tag", refname.ErrName, legible.OneLine(rest))
	}
	if ok && len(parts) != 2 {
		return fmt.Errorf("%w '%s': not <line>/<name>", refname.ErrName, legible.OneLine(rest))
	}
	for _, part := range parts {
		if err := refname.CheckName(part); err != nil {
			return err
		}
	}
	return nil
}

func kindsOf(ref string) []record.Kind {
	if ref == refname.KnowledgeRef {
		return []record.Kind{record.KindKnowledge}
	}
	return []record.Kind{record.KindCheckpoint, record.KindMerge, record.KindTombstone}
}

// fit checks that a tip is a commit of ours that this version may build on.
func (h *joinGraph) fit(id string, kinds []record.Kind) error {
	o, err := h.s.repo.Object(id)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", record.Short(id), err)
	}
	r := record.Record{ID: id}
	switch {
	case o.Type != "commit":
		return fmt.Errorf("%s is a %s, not a checkpoint", record.Short(id), o.Type)
	case !r.ParseCommit(o.Data):
		return fmt.Errorf("%s is not a checkpoint", record.Short(id))
	case record.IsNewer(o.Data):
		return &record.NewerError{ID: id}
	case !slices.Contains(kinds, r.Kind):
		return fmt.Errorf("%s is a '%s', which does not belong here", record.Short(id), legible.OneLine(string(r.Kind)))
	case r.Kind == record.KindKnowledge:
		return h.s.history.MayWrite(id)
	}
	return nil
}
