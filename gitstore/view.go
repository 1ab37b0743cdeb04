package gitstore

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A view is what a list needs beside the commits: which names point where, and
// what is removed. It is asked for beside `git log`, and waited for when the
// first commit is shown.
type view struct {
	get func() (*snapshot, error)
}

// A snapshot is our refs at one moment, and what tombstones reachable from
// them remove.
type snapshot struct {
	refs        []ref
	names       map[string][]string // by commit: main, main/3f2a91c0, tag: v1
	removed     map[string]bool
	isOwn       func(id string) bool
	isConfirmed func(id string) bool
}

func (s *Store) look(ctx context.Context) *view {
	if shared, ok := ctx.Value(viewKey{}).(viewOf); ok && shared.s == s {
		return shared.v
	}
	type answer struct {
		snap *snapshot
		err  error
	}
	s.looks.Add(1)
	asked := early(func() answer {
		defer s.looks.Done()
		snap, err := s.snapshot(ctx)
		return answer{snap, err}
	})
	return &view{func() (*snapshot, error) {
		a := asked()
		return a.snap, a.err
	}}
}

// viewing returns a context in which all that is asked of s sees our refs as they
// are at one moment: reading a thousand takes 10 ms each time.
func (s *Store) viewing(ctx context.Context) context.Context {
	return context.WithValue(ctx, viewKey{}, viewOf{s, s.look(ctx)})
}

type viewKey struct{}

type viewOf struct {
	s *Store
	v *view
}

func (s *Store) snapshot(ctx context.Context) (*snapshot, error) {
	refs, err := s.refs(ctx, headsPrefix, forksPrefix, tagsPrefix)
	if err != nil {
		return nil, err
	}
	snap := &snapshot{refs: refs, names: map[string][]string{}, isOwn: s.owner(), isConfirmed: s.isConfirmed}
	for _, r := range refs {
		snap.names[r.id] = append(snap.names[r.id], shortRef(r.name))
	}
	snap.removed, err = s.removed(ctx, refs)
	return snap, err
}

// dress adds to r what only the view knows.
func (v *view) dress(r *Record) error {
	snap, err := v.get()
	if err != nil {
		return err
	}
	snap.dress(r)
	return nil
}

func (snap *snapshot) dress(r *Record) {
	r.Names, r.Removed, r.Own = snap.names[r.ID], snap.removed[r.ID], snap.isOwn(r.ID)
	r.Unconfirmed = r.Agent == sage.Rules && !snap.isConfirmed(r.ID)
}

// range_ turns the revisions of q into what git log takes: ids, full ref names
// and ranges of them, none of which can be taken for an option.
func (s *Store) range_(ctx context.Context, q Query, v *view) ([]string, error) {
	switch {
	case len(q.Revs) > 0:
		return s.resolveRange(ctx, q.Revs)
	case q.Line != "":
		ids, err := s.ofLine(v, q.Line)
		if err == nil && len(ids) == 0 && q.Line != s.CurrentLine() { // which may be unborn
			err = fmt.Errorf("%w: no line '%s'", ErrNotFound, q.Line)
		}
		return ids, err
	case q.All:
		return tips(v)
	}
	t := s.stand()
	if t.Seen != "" {
		return []string{t.Seen}, nil
	}
	if s.where.ref == t.ref() && s.where.tip != "" {
		return []string{t.ref()}, nil
	}
	return s.ofLine(v, t.Line)
}

func (s *Store) ofLine(v *view, line string) ([]string, error) {
	snap, err := v.get()
	if err != nil {
		return nil, err
	}
	for _, r := range snap.refs {
		if r.name == headRef(line) || r.name == forksPrefix+line {
			return []string{r.id}, nil
		}
	}
	return nil, nil
}

func tips(v *view) ([]string, error) {
	snap, err := v.get()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range snap.refs {
		if !strings.HasPrefix(r.name, tagsPrefix) {
			ids = append(ids, r.id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// resolveRange takes a, a..b, a...b and ^a.
func (s *Store) resolveRange(ctx context.Context, revs []string) ([]string, error) {
	var out []string
	for _, rev := range revs {
		neg := strings.HasPrefix(rev, "^")
		dots := ".."
		if strings.Contains(rev, "...") {
			dots = "..."
		}
		a, b, isRange := strings.Cut(strings.TrimPrefix(rev, "^"), dots)
		from, err := s.Resolve(ctx, orAt(a))
		if err != nil {
			return nil, err
		}
		switch {
		case isRange:
			to, err := s.Resolve(ctx, orAt(b))
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

func orAt(rev string) string {
	if rev == "" {
		return "@"
	}
	return rev
}

// keeper returns the judge of which records of a list q wants. It sees them newest first.
func (s *Store) keeper(ctx context.Context, q Query, v *view, revs []string) func(*Record) bool {
	fits, hide := s.fits(ctx, q, v), s.hider(ctx, q, v, revs)
	return func(r *Record) bool { return fits(r) && !hide(r) }
}

// fits returns the judge of which records q is about, whatever maintenance hides.
func (s *Store) fits(ctx context.Context, q Query, v *view) func(*Record) bool {
	grep := pattern(q)
	pass := heirs(q)
	return func(r *Record) bool {
		if v.dress(r) != nil {
			return false
		}
		pass(r)
		switch {
		case r.Kind == KindTombstone && !q.Removed,
			r.Removed && !q.Removed,
			q.Skill != "" && r.Skill != q.Skill,
			q.Project != "" && r.Project != q.Project,
			q.Trigger != "" && r.Trigger != q.Trigger,
			r.Recorded.Before(q.from),
			grep != nil && !grep.MatchString(norm.NFC.String(r.Description+"\n"+r.Thesis+"\n"+r.Question)):
			return false
		}
		return s.touches(ctx, r, q.Paths)
	}
}

// heirs gives the name of a line whose tip is not shown, for it is removed or
// removes, to the newest checkpoint that is.
func heirs(q Query) func(*Record) {
	left := map[string][]string{}
	return func(r *Record) {
		if names := left[r.ID]; names != nil {
			r.Names = slices.Concat(names, r.Names)
		}
		if q.Removed || r.Kind != KindTombstone && !r.Removed || len(r.Parents) == 0 {
			return
		}
		left[r.Parents[0]] = append(left[r.Parents[0]], heritable(r.Names)...)
	}
}

// heritable are the names that a checkpoint behind a removed one gets: no tag.
func heritable(names []string) (out []string) {
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
func (s *Store) hider(ctx context.Context, q Query, v *view, revs []string) func(*Record) bool {
	if q.Hidden != nil {
		*q.Hidden = 0
	}
	if q.All || q.Removed || len(q.Revs) > 0 {
		return func(*Record) bool { return false }
	}
	limited := sync.OnceFunc(func() {
		if q.Limits != nil {
			q.MaxAge, q.MaxCount = q.Limits()
		}
		if q.Wanted && q.MaxCount > 0 {
			q.MaxCount = max(q.MaxCount, q.Skip+q.Max)
		}
	})
	room := sync.OnceValue(func() int { return q.MaxCount - s.savedOf(ctx, q, v, revs) })
	first, saved, recovered, children := true, 0, 0, map[string]int{}
	return func(r *Record) bool {
		limited()
		for _, p := range r.Parents {
			children[p]++
		}
		hides := s.isOld(q, r)
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

func (s *Store) isOld(q Query, r *Record) bool {
	return q.MaxAge > 0 && s.o.Now().Sub(recorded(r)) > q.MaxAge
}

// savedOf counts what somebody saved and is not old, up to q.MaxCount: what that leaves is
// for recoveries. It is asked for with the first of those, and takes 12 µs a commit.
func (s *Store) savedOf(ctx context.Context, q Query, v *view, revs []string) (n int) {
	fits := s.fits(ctx, q, v)
	_ = s.git.Records(ctx, func(b []byte) bool { // a list that cannot be read says so itself
		var r Record
		if r.parse(b) && fits(&r) && r.Trigger != sage.Recovery && !s.isOld(q, &r) {
			n++
		}
		return n < q.MaxCount
	}, append(append(logArgs(q), "--end-of-options"), revs...)...)
	return n
}

// recorded is when the store took a checkpoint in. An author's date is what an
// author says.
func recorded(r *Record) time.Time {
	if r.Recorded.IsZero() {
		return r.Time
	}
	return r.Recorded
}

// touches reports whether a checkpoint explored, changed or refers to one of
// the paths, or something below it.
func (s *Store) touches(ctx context.Context, r *Record, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	c, err := s.load(r.ID)
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
