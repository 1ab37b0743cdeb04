package gitstore

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Spot is where a checkpoint lies.
type Spot struct {
	Line   string // the line or fork that holds it; "" is the current one
	Hidden bool   // no line shows it any more, by the limits of the query
}

// Spots tells where the checkpoints lie that q chooses, by id. Of q it goes by Line,
// Since, Until, Author, IgnoreCase, All and the limits, and reads no message: it is for
// whoever found checkpoints otherwise. One that several lines hold is on the current
// one, else on the default line, else on the first by name, else on a fork.
func (s *Store) Spots(ctx context.Context, q Query) (map[string]Spot, error) {
	ctx = s.viewing(ctx)
	takes, err := s.spotFilter(ctx, q)
	if err != nil {
		return nil, err
	}
	snap, err := s.look(ctx).get()
	if err != nil {
		return nil, err
	}
	a, err := s.annals(ctx, snap)
	if err != nil {
		return nil, err
	}
	at := a.ordinals(0)
	within, err := s.within(ctx, q, &a, at)
	if err != nil {
		return nil, err
	}
	counts := make([]bool, len(a.list))
	for i := range a.list {
		counts[i] = !a.list[i].tombstone && !snap.removed[a.list[i].id]
	}
	lines := s.linesOf(snap)
	on, shown := a.lineOfEach(s.standing(snap), lines, at), s.shown(q, snap, &a, at, counts)
	out := make(map[string]Spot, len(a.list))
	for i := range a.list {
		n := &a.list[i]
		if !counts[i] || on[i] == 0 || within != nil && within[i] == 0 || !takes(a.people[n.person], n.recorded) {
			continue
		}
		spot := Spot{Hidden: shown != nil && !shown[i] && len(snap.names[n.id]) == 0}
		if on[i] > 1 {
			spot.Line = lines[on[i]-2].Name
		}
		out[n.id] = spot
	}
	return out, nil
}

// within marks what q.Line holds; nil is all.
func (s *Store) within(ctx context.Context, q Query, a *annals, at map[string]int) ([]int, error) {
	if q.Line == "" {
		return nil, nil
	}
	tips, err := s.range_(ctx, Query{Line: q.Line}, s.look(ctx))
	return a.lineOfEach(tips, nil, at), err
}

// standing are the commits behind which the current line lies: what the session saw,
// and the tip of its line or fork.
func (s *Store) standing(snap *snapshot) (ids []string) {
	t := s.stand()
	if t.Seen != "" {
		ids = append(ids, t.Seen)
	}
	for _, r := range snap.refs {
		if r.name == t.ref() || r.name == headRef(t.Line) {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// linesOf are the lines, the default one first, and then the forks.
func (s *Store) linesOf(snap *snapshot) (lines []Line) {
	for _, r := range snap.refs {
		if l, ok := lineOf(r); ok {
			lines = append(lines, l)
		}
	}
	rank := func(l Line) int {
		switch {
		case l.Fork:
			return 2
		case l.Name == DefaultLine:
			return 0
		}
		return 1
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Name, b.Name)) })
	return shownByRef(lines)
}

// lineOfEach tells which is the first that holds each commit: 1 is where one stands,
// 2 the first line, and so on; 0 is none.
func (a *annals) lineOfEach(standing []string, lines []Line, at map[string]int) []int {
	on := make([]int, len(a.list))
	mark := func(id string, n int) {
		if i, ok := at[id]; ok {
			a.behind(i, n, on)
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
func (s *Store) shown(q Query, snap *snapshot, a *annals, at map[string]int, counts []bool) []bool {
	if q.Limits != nil && !q.All {
		q.MaxAge, q.MaxCount = q.Limits()
	}
	if q.All || q.MaxAge <= 0 && q.MaxCount <= 0 {
		return nil
	}
	oldest := int64(math.MinInt64)
	if q.MaxAge > 0 {
		oldest = s.o.Now().Add(time.Second - 1 - q.MaxAge).Unix() // the first whole second
	}
	var tips []int
	for _, r := range snap.refs {
		if _, ok := lineOf(r); ok {
			if i, ok := at[r.id]; ok && !slices.Contains(tips, i) {
				tips = append(tips, i)
			}
		}
	}
	return a.shown(tips, counts, oldest, q.MaxCount)
}

// spotFilter judges commits by author and time, as git log does.
func (s *Store) spotFilter(ctx context.Context, q Query) (func(by person, at int64) bool, error) {
	flags := ""
	if q.IgnoreCase {
		flags = "(?i)"
	}
	author, err := regexp.Compile(flags + q.Author)
	if err != nil {
		return nil, &FilterError{"author", err}
	}
	from, to, err := s.Between(ctx, q.Since, q.Until)
	if err != nil {
		return nil, err
	}
	by := map[person]bool{}
	return func(p person, at int64) bool {
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
func (s *Store) Between(ctx context.Context, since, until string) (from, to time.Time, err error) {
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
	out, err := s.git.Run(ctx, args...)
	for l := range strings.Lines(string(out)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(l), "--max-age="); ok {
			from = unix(n)
		} else if n, ok := strings.CutPrefix(strings.TrimSpace(l), "--min-age="); ok {
			to = unix(n)
		}
	}
	return from, to, logError(err)
}
