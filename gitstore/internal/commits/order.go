package commits

import (
	"container/heap"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// window is how many commits are looked at together to put children before their
// parents. 256 take 3 ms to list.
const window = 256

// A Sorter hands records on in the order in which git lists them, newest first,
// but none before a child of its own that comes later. git goes by dates, and
// those are seconds: several checkpoints saved in one have none that is newer. It
// holds for all that has one date, and for clocks that were set back within window
// commits; git's own --date-order would read all of history before the first.
type Sorter struct {
	Hand func(*record.Record) bool // what it is handed to; false ends the list
	held []record.Record
}

// Add takes the next record. It returns false when no more are wanted.
func (s *Sorter) Add(r record.Record) bool {
	if n := len(s.held); n >= window && r.Recorded.Before(s.held[n-1].Recorded) && !s.Flush() {
		return false
	}
	s.held = append(s.held, r)
	return true
}

// Flush hands on what is held.
func (s *Sorter) Flush() bool {
	held := s.held
	s.held = nil
	for _, i := range childrenFirst(held) {
		if !s.Hand(&held[i]) {
			return false
		}
	}
	return true
}

// childrenFirst is the order of records in which no parent stands before a child,
// and which is otherwise that of the records.
func childrenFirst(recs []record.Record) []int {
	at, children := make(map[string]int, len(recs)), make([]int, len(recs))
	for i, r := range recs {
		at[r.ID] = i
	}
	var ready indexes
	for _, r := range recs {
		for _, p := range r.Parents {
			if j, ok := at[p]; ok {
				children[j]++
			}
		}
	}
	for i, n := range children {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	out := make([]int, 0, len(recs))
	for len(ready) > 0 {
		i := heap.Pop(&ready).(int)
		out = append(out, i)
		for _, p := range recs[i].Parents {
			if j, ok := at[p]; ok {
				if children[j]--; children[j] == 0 {
					heap.Push(&ready, j)
				}
			}
		}
	}
	return out
}

// indexes are a heap, the smallest first.
type indexes []int

func (x indexes) Len() int           { return len(x) }
func (x indexes) Less(i, j int) bool { return x[i] < x[j] }
func (x indexes) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *indexes) Push(v any)        { *x = append(*x, v.(int)) }
func (x *indexes) Pop() any {
	old := *x
	v := old[len(old)-1]
	*x = old[:len(old)-1]
	return v
}
