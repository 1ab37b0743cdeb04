package commits

import (
	"container/heap"
	"context"
	"time"
)

// Hidden returns how many checkpoints no line shows any more, by the limits that
// [Query] has too; 0 is no limit.
func (cs *Commits) Hidden(ctx context.Context, maxAge time.Duration, maxCount int) (n int, err error) {
	if maxAge <= 0 && maxCount <= 0 {
		return 0, nil
	}
	_, n, err = cs.Shown(ctx, Query{MaxAge: maxAge, MaxCount: maxCount})
	return n, err
}

// shown are those that lines show, beside what has a name: of each its newest, as many
// and as young as the limits say (0 is none) and in any case the first; and where what
// it holds parted and met again. Of those that are young enough, what nobody saved goes
// first: see [CommitIndex.kept]. counts says which are shown at all.
func (a *CommitIndex) shown(tips []int, counts []bool, oldest int64, most int) []bool {
	shown := a.met(tips, counts)
	seen := make([]int, len(a.List)) // by which walk, from 1 on
	for walk, tip := range tips {
		first := true
		for _, i := range a.kept(tip, seen, walk+1, most, func(i int) bool {
			if counts[i] && first {
				first, shown[i] = false, true
			}
			return counts[i] && a.List[i].Recorded >= oldest
		}) {
			shown[i] = true
		}
	}
	return shown
}

// kept are the newest behind a tip that count, at most so many (0 is all): what was saved,
// and of recoveries as many as that leaves room for.
func (a *CommitIndex) kept(tip int, seen []int, walk, most int, counts func(i int) bool) []int {
	var saved, recovered []int
	a.newest(tip, seen, walk, func(i int) bool {
		switch {
		case !counts(i):
		case a.List[i].Recovery:
			recovered = append(recovered, i)
		default:
			saved = append(saved, i)
		}
		return most <= 0 || len(saved) < most
	})
	if most > 0 {
		recovered = recovered[:min(len(recovered), most-len(saved))]
	}
	return append(saved, recovered...)
}

// newest calls fn with what lies behind a tip, newest first as git orders it, until fn
// returns false.
func (a *CommitIndex) newest(tip int, seen []int, walk int, fn func(int) bool) {
	q := &newestFirst{a: a}
	push := func(i int) {
		if seen[i] != walk {
			seen[i] = walk
			heap.Push(q, [2]int{i, q.came})
			q.came++
		}
	}
	for push(tip); len(q.list) > 0; {
		i := heap.Pop(q).([2]int)[0]
		if !fn(i) {
			return
		}
		for _, p := range a.List[i].Parents {
			push(p)
		}
	}
}

// newestFirst is a heap of commits, each with when it came, which decides between
// those of one second.
type newestFirst struct {
	a    *CommitIndex
	came int
	list [][2]int
}

func (q *newestFirst) Len() int { return len(q.list) }
func (q *newestFirst) Less(i, j int) bool {
	x, y := q.list[i], q.list[j]
	if a, b := q.a.List[x[0]].Recorded, q.a.List[y[0]].Recorded; a != b {
		return a > b
	}
	return x[1] < y[1]
}
func (q *newestFirst) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *newestFirst) Push(x any)    { q.list = append(q.list, x.([2]int)) }
func (q *newestFirst) Pop() any {
	last := len(q.list) - 1
	x := q.list[last]
	q.list = q.list[:last]
	return x
}

// met are the commits of which one line holds two children.
func (a *CommitIndex) met(tips []int, counts []bool) []bool {
	words := (len(tips) + 63) / 64
	lines := make([]uint64, words*len(a.List)) // which hold a commit
	one := make([]uint64, words*len(a.List))   // which hold a child of it
	for i, tip := range tips {
		lines[tip*words+i/64] |= 1 << (i % 64)
	}
	twice := make([]bool, len(a.List))
	for _, i := range a.ChildrenFirst() {
		mine := lines[i*words : (i+1)*words]
		for _, p := range a.List[i].Parents {
			its, held := lines[p*words:(p+1)*words], one[p*words:(p+1)*words]
			for w := range mine {
				its[w] |= mine[w]
				if counts[i] {
					twice[p] = twice[p] || held[w]&mine[w] != 0
					held[w] |= mine[w]
				}
			}
		}
	}
	return twice
}

// ChildrenFirst lists all, each behind those that continue it, whatever their dates say.
func (a *CommitIndex) ChildrenFirst() []int {
	left := make([]int, len(a.List))
	for i := range a.List {
		for _, p := range a.List[i].Parents {
			left[p]++
		}
	}
	out := make([]int, 0, len(a.List))
	for i, n := range left {
		if n == 0 {
			out = append(out, i)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, p := range a.List[out[i]].Parents {
			if left[p]--; left[p] == 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

// Behind marks what lies behind a commit with a number, but for what is marked.
func (a *CommitIndex) Behind(from, mark int, marks []int) {
	for todo := []int{from}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if marks[i] == 0 {
			marks[i] = mark
			todo = append(todo, a.List[i].Parents...)
		}
	}
}
