// Package hunks finds the runs of lines or words in which two lists differ.
package hunks

// A Hunk is a run of lines that another took the place of; either may be empty. Lines count
// from 0.
type Hunk struct {
	Old, Olds int // the first line before, and how many
	Now, Nows int // and after
}

// mostEdits bounds the search for the least changes, which takes their square in time and
// room: 1,000 take 4 MiB and 5 ms. What differs more is one hunk.
const mostEdits = 1000

// Between are the least changes that make one list of lines, or words, another, by Myers' algorithm.
func Between(old, now []string) []Hunk {
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	a, b := old[head:len(old)-tail], now[head:len(now)-tail]
	switch {
	case len(a)+len(b) == 0:
		return nil
	case len(a) == 0 || len(b) == 0:
		return []Hunk{{head, len(a), head, len(b)}}
	}
	trace, found := shortestEdit(a, b)
	if !found {
		return []Hunk{{head, len(a), head, len(b)}}
	}
	return hunksOf(trace, len(a), len(b), head)
}

// shortestEdit returns, for each number of edits from 0 on, how far into a they reach on
// each diagonal -d..d.
func shortestEdit(a, b []string) (trace [][]int32, found bool) {
	most := min(len(a)+len(b), mostEdits)
	reach := make([]int32, 2*most+3)
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			at := most + 1 + k
			x := int(reach[at-1]) + 1
			if k == -d || k != d && reach[at-1] < reach[at+1] {
				x = int(reach[at+1])
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			if reach[at] = int32(x); x >= len(a) && y >= len(b) {
				return append(trace, append([]int32(nil), reach[most+1-d:most+2+d]...)), true
			}
		}
		trace = append(trace, append([]int32(nil), reach[most+1-d:most+2+d]...))
	}
	return nil, false
}

// hunksOf walks the shortest edit back from its end.
func hunksOf(trace [][]int32, x, y, head int) (out []Hunk) {
	add := func(olds, nows int) { // the edit right before x, y
		if n := len(out); n > 0 && out[n-1].Old == head+x && out[n-1].Now == head+y {
			h := &out[n-1]
			h.Old, h.Olds, h.Now, h.Nows = h.Old-olds, h.Olds+olds, h.Now-nows, h.Nows+nows
		} else {
			out = append(out, Hunk{head + x - olds, olds, head + y - nows, nows})
		}
	}
	for d := len(trace) - 1; d > 0; d-- {
		before := trace[d-1] // of diagonals -(d-1)..d-1
		reached := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return int(before[k+d-1])
		}
		k := x - y
		inserted := k == -d || k != d && reached(k-1) < reached(k+1)
		from := k - 1
		if inserted {
			from = k + 1
		}
		px := reached(from)
		py := px - from
		startX, startY := px+1, py
		if inserted {
			startX, startY = px, py+1
		}
		x, y = startX, startY // behind the lines that are alike
		if inserted {
			add(0, 1)
		} else {
			add(1, 0)
		}
		x, y = px, py
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
