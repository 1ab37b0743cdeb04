package commits

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"golang.org/x/text/unicode/norm"
)

// A view is what a list needs beside the commits: which names point where, and
// what is removed. It is asked for beside `git log`, and waited for when the
// first commit is shown.
type view struct {
	Get func() (*Snapshot, error)
}

// A Snapshot is our refs at one moment, and what tombstones reachable from
// them remove.
type Snapshot struct {
	Refs        []refname.Ref
	Names       map[string][]string // by commit: main, main/3f2a91c0, tag: v1
	Removed     map[string]bool
	elsewhere   []string               // see [Commits.RemovedElsewhere]
	refused     func() map[string]bool // see [Snapshot.IsRefused]
	IsOwn       func(id string) bool
	isConfirmed func(id string) bool
	isMixed     func(id string) bool
}

func (cs *Commits) Look(ctx context.Context) *view {
	if shared, ok := ctx.Value(viewKey{}).(viewOf); ok && shared.s == cs {
		return shared.v
	}
	type answer struct {
		snap *Snapshot
		err  error
	}
	cs.repo.Looks.Add(1)
	asked := repo.Early(func() answer {
		defer cs.repo.Looks.Done()
		snap, err := cs.snapshot(ctx)
		return answer{snap, err}
	})
	return &view{func() (*Snapshot, error) {
		a := asked()
		return a.snap, a.err
	}}
}

// Viewing returns a context in which all that is asked of s sees our refs as they
// are at one moment: reading a thousand takes 10 ms each time.
func (cs *Commits) Viewing(ctx context.Context) context.Context {
	return context.WithValue(ctx, viewKey{}, viewOf{cs, cs.Look(ctx)})
}

// ViewingOnce is Viewing for who may not ask at all: our refs are read with the first question.
func (cs *Commits) ViewingOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, viewKey{}, viewOf{cs, &view{sync.OnceValues(func() (*Snapshot, error) { return cs.snapshot(ctx) })}})
}

type viewKey struct{}

type viewOf struct {
	s *Commits
	v *view
}

func (cs *Commits) snapshot(ctx context.Context) (*Snapshot, error) {
	refs, err := cs.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix)
	if err != nil {
		return nil, err
	}
	snap := &Snapshot{Refs: refs, Names: map[string][]string{}, IsOwn: cs.ownership.Owner(), isConfirmed: cs.ownership.IsConfirmed, isMixed: cs.ownership.IsMixed}
	for _, r := range refs {
		snap.Names[r.ID] = append(snap.Names[r.ID], refname.ShortRef(r.Name))
	}
	snap.refused = sync.OnceValue(func() map[string]bool { return cs.refused(ctx, snap) })
	snap.Removed, snap.elsewhere, err = cs.removed(ctx, refs)
	return snap, err
}

// counts reports whether lists show a commit.
func (snap *Snapshot) counts(n *IndexedCommit) bool {
	return !n.Tombstone && !snap.Removed[n.ID] && !snap.IsRefused(n.ID)
}

// Newest are the checkpoints that lines and forks go on from: their tips, or what is behind
// those that lists do not show.
func (snap *Snapshot) Newest(a *CommitIndex, closed map[string]string) map[string]bool {
	out, at, seen := map[string]bool{}, a.OrdinalsOf(nil, nil, snap.Refs), make([]bool, len(a.List))
	var todo []int
	for _, r := range snap.Refs {
		l, isLine := LineOf(r)
		if _, isClosed := closed[l.Name]; isLine && !isClosed {
			if i, ok := at[r.ID]; ok {
				todo = append(todo, i)
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		n := &a.List[todo[0]]
		switch {
		case seen[todo[0]]:
		case snap.counts(n):
			out[n.ID] = true
		default:
			todo = append(todo, n.Parents...)
		}
		seen[todo[0]] = true
	}
	return out
}

// dress adds to r what only the view knows.
func (v *view) dress(r *record.Record) error {
	snap, err := v.Get()
	if err != nil {
		return err
	}
	snap.dress(r)
	return nil
}

func (snap *Snapshot) dress(r *record.Record) {
	r.Names, r.Removed, r.Refused, r.Own = snap.Names[r.ID], snap.Removed[r.ID], snap.IsRefused(r.ID), snap.IsOwn(r.ID)
	r.Mixed, r.Unconfirmed = !r.Own && snap.isMixed(r.ID), r.Agent == sage.Rules && !snap.isConfirmed(r.ID)
}

// Range turns the revisions of q into what git log takes: ids, full ref names
// and ranges of them, none of which can be taken for an option.
func (cs *Commits) Range(ctx context.Context, q Query, v *view) ([]string, error) {
	switch {
	case len(q.Revs) > 0:
		return cs.resolveRange(ctx, q.Revs)
	case q.Line != "":
		ids, err := cs.ofLine(v, q.Line)
		if err == nil && len(ids) == 0 && q.Line != cs.session.CurrentLine() { // which may be unborn
			err = &NotFoundError{"line", q.Line}
		}
		return ids, err
	case q.All:
		return tips(v)
	}
	t := cs.session.Stand()
	if t.Seen != "" {
		return []string{t.Seen}, nil
	}
	if tip, err := cs.repo.Tip(ctx, t.On()); err == nil && tip != "" {
		return []string{t.On()}, nil
	}
	return cs.ofLine(v, t.Line)
}

func (cs *Commits) ofLine(v *view, line string) ([]string, error) {
	snap, err := v.Get()
	if err != nil {
		return nil, err
	}
	for _, r := range snap.Refs {
		if r.Name == refname.HeadRef(line) || r.Name == refname.ForksPrefix+line {
			return []string{r.ID}, nil
		}
	}
	return nil, nil
}

func tips(v *view) ([]string, error) {
	snap, err := v.Get()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range snap.Refs {
		if !strings.HasPrefix(r.Name, refname.TagsPrefix) {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// resolveRange takes a, a..b, a...b and ^a.
func (cs *Commits) resolveRange(ctx context.Context, revs []string) ([]string, error) {
	var out []string
	for _, rev := range revs {
		neg := strings.HasPrefix(rev, "^")
		dots := ".."
		if strings.Contains(rev, "...") {
			dots = "..."
		}
		a, b, isRange := strings.Cut(strings.TrimPrefix(rev, "^"), dots)
		from, err := cs.Resolve(ctx, OrAt(a))
		if err != nil {
			return nil, err
		}
		switch {
		case isRange:
			to, err := cs.Resolve(ctx, OrAt(b))
			if err != nil {
				return nil, err
			}
			out = append(out, from+dots+to)
		case neg:
			out = append(out, "^"+from)
		default:
			out = append(out, from)
		}
	}
	return out, nil
}

func OrAt(rev string) string {
	if rev == "" {
		return "@"
	}
	return rev
}

// keeper returns the judge of which records of a list q wants. It sees them newest first.
func (cs *Commits) keeper(ctx context.Context, q Query, v *view, revs []string) func(*record.Record) bool {
	fits, hide := cs.fits(ctx, q, v), cs.hider(ctx, q, v, revs)
	return func(r *record.Record) bool { return fits(r) && !hide(r) }
}

// fits returns the judge of which records q is about, whatever maintenance hides.
func (cs *Commits) fits(ctx context.Context, q Query, v *view) func(*record.Record) bool {
	grep := pattern(q)
	pass := heirs(q)
	return func(r *record.Record) bool {
		if v.dress(r) != nil {
			return false
		}
		pass(r)
		switch {
		case r.Kind == record.KindTombstone && !q.Removed,
			r.Removed && !q.Removed,
			r.Refused && !q.Removed && !q.Refused,
			q.Skill != "" && r.Skill != q.Skill,
			q.Project != "" && r.Project != q.Project,
			q.Trigger != "" && r.Trigger != q.Trigger,
			r.Recorded.Before(q.from),
			grep != nil && !grep.MatchString(norm.NFC.String(r.Description+"\n"+r.Thesis+"\n"+r.Question)):
			return false
		}
		return cs.touches(r, q.Paths)
	}
}

// heirs gives the name of a line whose tip is not shown, for it is removed or
// removes, to the newest checkpoint that is.
func heirs(q Query) func(*record.Record) {
	left := map[string][]string{}
	return func(r *record.Record) {
		if names := left[r.ID]; names != nil {
			r.Names = slices.Concat(names, r.Names)
		}
		if q.Removed || r.Counts() || len(r.Parents) == 0 {
			return
		}
		left[r.Parents[0]] = append(left[r.Parents[0]], Heritable(r.Names)...)
	}
}

// Heritable are the names that a checkpoint behind a removed one gets: no tag.
func Heritable(names []string) (out []string) {
	for _, name := range names {
		if !strings.HasPrefix(name, "tag: ") {
			out = append(out, name)
		}
	}
	return out
}

// pattern is what a list is searched for. A letter with an accent is one, whether
// it was typed as one character or as two.
func pattern(q Query) *regexp.Regexp {
	if q.Grep == "" {
		return nil
	}
	flags := "(?m)"
	if q.IgnoreCase {
		flags = "(?mi)"
	}
	return regexp.MustCompile(flags + norm.NFC.String(q.Grep)) // Log compiled it before
}

// hider judges what maintenance hides of what fits: what is old, and then what is beyond
// the count, recoveries first; but never a tip, what has a name, or where lines part. It
// hides from lists only; nothing is removed.
func (cs *Commits) hider(ctx context.Context, q Query, v *view, revs []string) func(*record.Record) bool {
	if q.Hidden != nil {
		*q.Hidden = 0
	}
	if q.All || q.Removed || len(q.Revs) > 0 {
		return func(*record.Record) bool { return false }
	}
	limited := sync.OnceFunc(func() {
		if q.Limits != nil {
			q.MaxAge, q.MaxCount = q.Limits()
		}
		if q.Wanted && q.MaxCount > 0 {
			q.MaxCount = max(q.MaxCount, q.Skip+q.Max)
		}
	})
	room := sync.OnceValue(func() int { return q.MaxCount - cs.savedOf(ctx, q, v, revs) })
	first, saved, recovered, children := true, 0, 0, map[string]int{}
	return func(r *record.Record) bool {
		limited()
		for _, p := range r.Parents {
			children[p]++
		}
		hides := cs.isOld(q, r)
		switch {
		case hides || q.MaxCount <= 0:
		case r.Trigger == sage.Recovery:
			recovered++
			hides = recovered > room()
		default:
			saved++
			hides = saved > q.MaxCount
		}
		hides = hides && !first && len(r.Names) == 0 && children[r.ID] < 2
		first = false
		if hides && q.Hidden != nil {
			*q.Hidden++
		}
		return hides
	}
}

func (cs *Commits) isOld(q Query, r *record.Record) bool {
	return q.MaxAge > 0 && cs.repo.Options.Now().Sub(Recorded(r)) > q.MaxAge
}

// savedOf counts what somebody saved and is not old, up to q.MaxCount: what that leaves is
// for recoveries. It is asked for with the first of those, and takes 12 µs a commit.
func (cs *Commits) savedOf(ctx context.Context, q Query, v *view, revs []string) (n int) {
	fits := cs.fits(ctx, q, v)
	_ = cs.repo.Git.Records(ctx, func(b []byte) bool { // a list that cannot be read says so itself
		var r record.Record
		if r.Parse(b) && fits(&r) && r.Trigger != sage.Recovery && !cs.isOld(q, &r) {
			n++
		}
		return n < q.MaxCount
	}, append(append(LogArgs(q), "--end-of-options"), revs...)...)
	return n
}

// Recorded is when the store took a checkpoint in. An author's date is what an
// author says.
func Recorded(r *record.Record) time.Time {
	if r.Recorded.IsZero() {
		return r.Time
	}
	return r.Recorded
}

// touches reports whether a checkpoint explored, changed or refers to one of
// the paths, or something below it.
func (cs *Commits) touches(r *record.Record, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	c, err := cs.AsStored(r.ID)
	if err != nil {
		return false
	}
	files := append(slices.Clone(c.FilesExplored), c.FilesChanged...)
	for _, ref := range c.CodeRefs {
		files = append(files, ref.File)
	}
	for _, p := range paths {
		p = path.Clean(p)
		if slices.ContainsFunc(files, func(f string) bool { return f == p || p == "." || strings.HasPrefix(f, p+"/") }) {
			return true
		}
	}
	return false
}
