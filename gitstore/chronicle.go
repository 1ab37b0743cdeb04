package gitstore

import (
	"container/heap"
	"context"
	"slices"
	"strings"
	"time"
)

// A chronicle is all commits of our lines and forks at one moment, for questions
// that would take a walk by git for each line.
type chronicle struct {
	recs map[string]*Record
	list []*Record // as git lists them, newest first
}

func (s *Store) chronicle(ctx context.Context) (*chronicle, error) {
	v := s.look(ctx)
	revs, err := tips(v)
	if err != nil || len(revs) == 0 {
		return &chronicle{}, err
	}
	h := &chronicle{recs: map[string]*Record{}}
	words := map[string]string{}
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) && v.dress(&r) == nil {
			r := lean(&r, words)
			h.recs[r.ID] = r
			h.list = append(h.list, r)
		}
		return true
	}, append(append(logArgs(Query{}), "--end-of-options"), revs...)...)
	if err == nil {
		_, err = v.get()
	}
	return h, logError(err)
}

// lean is what a list of names and dates needs of r, without the message that r
// holds on to: there may be very many.
func lean(r *Record, words map[string]string) *Record {
	once := func(s string) string {
		if w, ok := words[s]; ok {
			return w
		}
		s = strings.Clone(s)
		words[s] = s
		return s
	}
	out := &Record{
		ID: strings.Clone(r.ID), Author: once(r.Author), Email: once(r.Email), Time: r.Time, Recorded: r.Recorded,
		Kind: Kind(once(string(r.Kind))), Description: strings.Clone(r.Description), Names: r.Names, Removed: r.Removed,
	}
	for _, p := range r.Parents {
		out.Parents = append(out.Parents, strings.Clone(p))
	}
	return out
}

// counts reports whether lists show a record, or would if it were not hidden.
func counts(r *Record) bool { return r.Kind != KindTombstone && !r.Removed }

// newest calls fn with what lists show from a tip on, newest first as git orders
// it, until fn returns false.
func (h *chronicle) newest(tip string, fn func(*Record) bool) {
	q := &byDate{}
	seen := map[string]bool{}
	push := func(id string) {
		if r := h.recs[id]; r != nil && !seen[id] {
			seen[id] = true
			heap.Push(q, dated{r, len(seen)})
		}
	}
	for push(tip); q.Len() > 0; {
		r := heap.Pop(q).(dated).r
		if counts(r) && !fn(r) {
			return
		}
		for _, p := range r.Parents {
			push(p)
		}
	}
}

type dated struct {
	r    *Record
	came int
}

// byDate is a heap of records, the newest on top; of equal ones the first to come.
type byDate []dated

func (q byDate) Len() int { return len(q) }
func (q byDate) Less(i, j int) bool {
	if c := q[i].r.Recorded.Compare(q[j].r.Recorded); c != 0 {
		return c > 0
	}
	return q[i].came < q[j].came
}
func (q byDate) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)   { *q = append(*q, x.(dated)) }
func (q *byDate) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// Hidden returns how many checkpoints no line shows any more, by the limits that
// [Query] has too; 0 is no limit.
func (s *Store) Hidden(ctx context.Context, maxAge time.Duration, maxCount int) (int, error) {
	if maxAge <= 0 && maxCount <= 0 {
		return 0, nil
	}
	ctx = s.viewing(ctx)
	snap, err := s.look(ctx).get()
	if err != nil {
		return 0, err
	}
	h, err := s.chronicle(ctx)
	if err != nil {
		return 0, err
	}
	var tips []string
	for _, r := range snap.refs {
		if _, ok := lineOf(r); ok {
			tips = append(tips, r.id)
		}
	}
	slices.Sort(tips)
	return h.hidden(slices.Compact(tips), s.o.Now().Add(-maxAge), maxAge > 0, maxCount), nil
}

// hidden counts what no line shows. One shows its newest, as many and as young as
// the limits say and in any case the first; what has a name; and where what it
// holds parted and met again.
func (h *chronicle) hidden(tips []string, oldest time.Time, aged bool, most int) int {
	shown := h.met(tips)
	for _, tip := range tips {
		n := 0
		h.newest(tip, func(r *Record) bool {
			if n == 0 || !aged || !recorded(r).Before(oldest) {
				shown[r.ID] = true
			}
			n++
			return most <= 0 || n < most
		})
	}
	count := 0
	for i := range h.list {
		if r := h.list[i]; counts(r) && len(r.Names) == 0 && !shown[r.ID] {
			count++
		}
	}
	return count
}

// met returns the records of which one line holds two children.
func (h *chronicle) met(tips []string) map[string]bool {
	words := (len(tips) + 63) / 64
	lines := map[string][]uint64{} // which lines hold a record
	at := func(id string) []uint64 {
		if lines[id] == nil {
			lines[id] = make([]uint64, words)
		}
		return lines[id]
	}
	for i, tip := range tips {
		at(tip)[i/64] |= 1 << (i % 64)
	}
	twice := map[string]bool{}
	one := map[string][]uint64{} // by which lines a child of a record is held
	for _, r := range h.childrenFirst() {
		mine := at(r.ID)
		for _, p := range r.Parents {
			its := at(p)
			for w := range mine {
				its[w] |= mine[w]
			}
			if counts(r) {
				if one[p] == nil {
					one[p] = make([]uint64, words)
				}
				for w := range mine {
					twice[p] = twice[p] || one[p][w]&mine[w] != 0
					one[p][w] |= mine[w]
				}
			}
		}
	}
	return twice
}

// childrenFirst lists the records, each behind all that continue it, whatever
// their dates say.
func (h *chronicle) childrenFirst() []*Record {
	left := map[string]int{}
	for i := range h.list {
		for _, p := range h.list[i].Parents {
			left[p]++
		}
	}
	out := make([]*Record, 0, len(h.list))
	for i := range h.list {
		if left[h.list[i].ID] == 0 {
			out = append(out, h.list[i])
		}
	}
	for i := 0; i < len(out); i++ {
		for _, p := range out[i].Parents {
			if left[p]--; left[p] == 0 && h.recs[p] != nil {
				out = append(out, h.recs[p])
			}
		}
	}
	return out
}
