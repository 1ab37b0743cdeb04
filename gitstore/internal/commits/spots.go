package commits

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A Spot is where a checkpoint lies.
type Spot struct {
	Line   string // the line or fork that holds it; "" is the current one
	Hidden bool   // no line shows it any more, by the limits of the query
}

// Spots tells where the checkpoints lie that q chooses, by id. Of q it goes by Line,
// Since, Until, Author, IgnoreCase, All and the limits, and reads no message: it is for
// whoever found checkpoints otherwise. Where ids are given, it tells of these alone. One
// that several lines hold is on the current one, else on the default line, else on the first
// by name, else on a fork.
func (cs *Commits) Spots(ctx context.Context, q Query, ids ...string) (map[string]Spot, error) {
	out := make(map[string]Spot, len(ids))
	err := cs.EachSpot(ctx, q, ids, func(a *CommitIndex, i int, s Spot) { out[a.List[i].ID] = s })
	return out, err
}

// Shown lists the checkpoints that q chooses as [Commits.Spots] does and that the limits of
// q leave, in no order; hidden is how many they leave out.
func (cs *Commits) Shown(ctx context.Context, q Query) (ids []string, hidden int, err error) {
	err = cs.EachSpot(ctx, q, nil, func(a *CommitIndex, i int, s Spot) {
		if s.Hidden {
			hidden++
		} else {
			ids = append(ids, a.List[i].ID)
		}
	})
	return ids, hidden, err
}

// EachSpot calls tell with the spots of the commits of some ids, or of all if there are none.
func (cs *Commits) EachSpot(ctx context.Context, q Query, ids []string, tell func(a *CommitIndex, i int, s Spot)) error {
	ctx = cs.Viewing(ctx)
	takes, err := cs.spotFilter(ctx, q)
	if err != nil {
		return err
	}
	snap, err := cs.Look(ctx).Get()
	if err != nil {
		return err
	}
	a, err := cs.Index(ctx, snap)
	if err != nil {
		return err
	}
	standing := cs.standing(snap)
	at := a.OrdinalsOf(ids, standing, snap.Refs)
	within, err := cs.within(ctx, q, &a)
	if err != nil {
		return err
	}
	counts := make([]bool, len(a.List))
	for i := range a.List {
		counts[i] = snap.counts(&a.List[i])
	}
	lines := cs.linesOf(snap)
	on, shown := a.lineOfEach(standing, lines, at), cs.shown(q, snap, &a, at, counts)
	of := func(i int) {
		n := &a.List[i]
		if !counts[i] || on[i] == 0 || within != nil && within[i] == 0 || !takes(a.people[n.person], n.Recorded) {
			return
		}
		spot := Spot{Hidden: shown != nil && !shown[i] && len(snap.Names[n.ID]) == 0}
		if on[i] > 1 {
			spot.Line = lines[on[i]-2].Name
		}
		tell(&a, i, spot)
	}
	if len(ids) == 0 {
		for i := range a.List {
			of(i)
		}
	}
	for _, id := range ids {
		if i, ok := at[id]; ok {
			of(i)
		}
	}
	return nil
}

// within marks what q.Line holds; nil is all.
func (cs *Commits) within(ctx context.Context, q Query, a *CommitIndex) ([]int, error) {
	if q.Line == "" {
		return nil, nil
	}
	tips, err := cs.Range(ctx, Query{Line: q.Line}, cs.Look(ctx))
	return a.lineOfEach(tips, nil, a.OrdinalsOf(tips, nil, nil)), err
}

// standing are the commits behind which the current line lies: what the session saw,
// and the tip of its line or fork.
func (cs *Commits) standing(snap *Snapshot) (ids []string) {
	t := cs.session.Stand()
	if t.Seen != "" {
		ids = append(ids, t.Seen)
	}
	for _, r := range snap.Refs {
		if r.Name == t.On() || r.Name == refname.HeadRef(t.Line) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// linesOf are the lines, the default one first, and then the forks.
func (cs *Commits) linesOf(snap *Snapshot) (lines []Line) {
	for _, r := range snap.Refs {
		if l, ok := LineOf(r); ok {
			lines = append(lines, l)
		}
	}
	rank := func(l Line) int {
		switch {
		case l.Fork:
			return 2
		case l.Name == refname.DefaultLine:
			return 0
		}
		return 1
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Name, b.Name)) })
	return ShownByRef(lines)
}

// lineOfEach tells which is the first that holds each commit: 1 is where one stands,
// 2 the first line, and so on; 0 is none.
func (a *CommitIndex) lineOfEach(standing []string, lines []Line, at map[string]int) []int {
	on := make([]int, len(a.List))
	mark := func(id string, n int) {
		if i, ok := at[id]; ok {
			a.Behind(i, n, on)
		}
	}
	for _, id := range standing {
		mark(id, 1)
	}
	for i, l := range lines {
		mark(l.Tip, i+2)
	}
	return on
}

// shown are those that some line shows, nil if that is all of them.
func (cs *Commits) shown(q Query, snap *Snapshot, a *CommitIndex, at map[string]int, counts []bool) []bool {
	if q.Limits != nil && !q.All {
		q.MaxAge, q.MaxCount = q.Limits()
	}
	if q.All || q.MaxAge <= 0 && q.MaxCount <= 0 {
		return nil
	}
	oldest := int64(math.MinInt64)
	if q.MaxAge > 0 {
		oldest = cs.repo.Options.Now().Add(time.Second - 1 - q.MaxAge).Unix() // the first whole second
	}
	var tips []int
	for _, r := range snap.Refs {
		if _, ok := LineOf(r); ok {
			if i, ok := at[r.ID]; ok && !slices.Contains(tips, i) {
				tips = append(tips, i)
			}
		}
	}
	return a.shown(tips, counts, oldest, q.MaxCount)
}

// spotFilter judges commits by author and time, as git log does.
func (cs *Commits) spotFilter(ctx context.Context, q Query) (func(by identity.Person, at int64) bool, error) {
	flags := ""
	if q.IgnoreCase {
		flags = "(?i)"
	}
	author, err := regexp.Compile(flags + q.Author)
	if err != nil {
		return nil, &record.FilterError{Field: "author", Err: err}
	}
	from, to, err := cs.Between(ctx, q.Since, q.Until)
	if err != nil {
		return nil, err
	}
	by := map[identity.Person]bool{}
	return func(p identity.Person, at int64) bool {
		ok, known := by[p]
		if !known {
			ok = q.Author == "" || author.MatchString(p.String())
			by[p] = ok
		}
		return ok && (from.IsZero() || at >= from.Unix()) && (to.IsZero() || at <= to.Unix())
	}, nil
}

// Between says what times are meant by dates as git log takes them in --since and
// --until; zero is none. git alone knows what dates mean.
func (cs *Commits) Between(ctx context.Context, since, until string) (from, to time.Time, err error) {
	if since+until == "" {
		return from, to, nil
	}
	if err := checkDates(since, until); err != nil {
		return from, to, err
	}
	args := []string{"rev-parse"}
	if since != "" {
		args = append(args, "--since="+since)
	}
	if until != "" {
		args = append(args, "--until="+until)
	}
	out, err := cs.repo.Git.Run(ctx, args...)
	for l := range strings.Lines(string(out)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(l), "--max-age="); ok {
			from = record.Unix(n)
		} else if n, ok := strings.CutPrefix(strings.TrimSpace(l), "--min-age="); ok {
			to = record.Unix(n)
		}
	}
	return from, to, LogError(err)
}
