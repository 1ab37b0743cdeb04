package worktree

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/prose/cut"
)

// A hunk is a run of lines that another took the place of; either may be empty. Lines count
// from 0.
type hunk struct {
	old, olds int // the first line before, and how many
	now, nows int // and after
}

// mostEdits bounds the search for the least changes, which takes their square in time and
// room: 1,000 take 4 MiB and 5 ms. What differs more is one hunk.
const mostEdits = 1000

// diffLines are the least changes that make one list of lines another, by Myers' algorithm.
func diffLines(old, now []string) []hunk {
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
		return []hunk{{head, len(a), head, len(b)}}
	}
	trace, found := shortestEdit(a, b)
	if !found {
		return []hunk{{head, len(a), head, len(b)}}
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
func hunksOf(trace [][]int32, x, y, head int) (out []hunk) {
	add := func(olds, nows int) { // the edit right before x, y
		if n := len(out); n > 0 && out[n-1].old == head+x && out[n-1].now == head+y {
			h := &out[n-1]
			h.old, h.olds, h.now, h.nows = h.old-olds, h.olds+olds, h.now-nows, h.nows+nows
		} else {
			out = append(out, hunk{head + x - olds, olds, head + y - nows, nows})
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

// lineNow says where a line is now, or, of one that is gone, what took its place.
func lineNow(hunks []hunk, line int) (now int, kept bool) {
	now = line
	for _, h := range hunks {
		switch {
		case line < h.old:
			return now, true
		case line < h.old+h.olds:
			return h.now, false
		}
		now = line - h.old - h.olds + h.now + h.nows
	}
	return now, true
}

// turned are hunks seen from the other side.
func turned(hunks []hunk) []hunk {
	out := make([]hunk, len(hunks))
	for i, h := range hunks {
		out[i] = hunk{h.now, h.nows, h.old, h.olds}
	}
	return out
}

// spanNow says which lines have the place of some lines from 0, from the first to the one
// behind the last.
func spanNow(hunks []hunk, from, to int) (first, end int) {
	first, _ = lineNow(hunks, from)
	last, kept := lineNow(hunks, to-1)
	end = last + 1
	for _, h := range hunks {
		if !kept && h.old <= to-1 && to-1 < h.old+h.olds {
			end = h.now + h.nows
		}
	}
	return first, max(first, end)
}

// span is a range of lines from 0 as a unified diff writes it.
func span(from, end int) string {
	switch end - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(end)
	}
	return fmt.Sprintf("%d,%d", from+1, end-from)
}

const (
	mostDiffLines = 6   // that are shown of what changed
	mostDiffRunes = 120 // of each
)

// shortDiff shows what changed in some lines from 0, as git's unified diffs do, without
// lines around it: the first few.
func shortDiff(hunks []hunk, old, now []string, from, to int) string {
	var out []string
	left := 0
	add := func(mark, line string) {
		if len(out) < mostDiffLines {
			out = append(out, mark+cut.Runes(strings.TrimRight(strings.ToValidUTF8(line, "�"), " \t\r"), mostDiffRunes))
		} else {
			left++
		}
	}
	for _, h := range hunks {
		if h.old >= to || h.old+h.olds <= from {
			continue
		}
		for i := max(h.old, from); i < min(h.old+h.olds, to); i++ {
			add("-", old[i])
		}
		for i := h.now; i < h.now+h.nows; i++ {
			add("+", now[i])
		}
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("(%d more changed lines)", left))
	}
	return strings.Join(out, "\n")
}
