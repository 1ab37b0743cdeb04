package gitstore

import (
	"container/heap"
	"context"
	"strings"
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
	h.list, err = s.walk(ctx, revs)
	if err != nil {
		return h, err
	}
	snap, err := v.get()
	if err != nil {
		return h, err
	}
	for _, r := range h.list {
		r.Names, r.Removed = snap.names[r.ID], snap.removed[r.ID]
		h.recs[r.ID] = r
	}
	return h, nil
}

// walk lists all commits behind some, newest first, without their messages.
func (s *Store) walk(ctx context.Context, revs []string) (list []*Record, err error) {
	words := map[string]string{}
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) {
			list = append(list, lean(&r, words))
		}
		return true
	}, append(append(logArgs(Query{}), "--end-of-options"), revs...)...)
	return list, logError(err)
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
