package worktree

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/internal/hunks"
	"github.com/git-sage/git-sage/prose/cut"
)

// lineNow says where a line is now, or, of one that is gone, what took its place.
func lineNow(list []hunks.Hunk, line int) (now int, kept bool) {
	now = line
	for _, h := range list {
		switch {
		case line < h.Old:
			return now, true
		case line < h.Old+h.Olds:
			return h.Now, false
		}
		now = line - h.Old - h.Olds + h.Now + h.Nows
	}
	return now, true
}

// turned are hunks seen from the other side.
func turned(list []hunks.Hunk) []hunks.Hunk {
	out := make([]hunks.Hunk, len(list))
	for i, h := range list {
		out[i] = hunks.Hunk{Old: h.Now, Olds: h.Nows, Now: h.Old, Nows: h.Olds}
	}
	return out
}

// spanNow says which lines have the place of some lines from 0, from the first to the one
// behind the last.
func spanNow(list []hunks.Hunk, from, to int) (first, end int) {
	first, _ = lineNow(list, from)
	last, kept := lineNow(list, to-1)
	end = last + 1
	for _, h := range list {
		if !kept && h.Old <= to-1 && to-1 < h.Old+h.Olds {
			end = h.Now + h.Nows
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
func shortDiff(list []hunks.Hunk, old, now []string, from, to int) string {
	var out []string
	left := 0
	add := func(mark, line string) {
		if len(out) < mostDiffLines {
			out = append(out, mark+cut.Runes(strings.TrimRight(strings.ToValidUTF8(line, "�"), " \t\r"), mostDiffRunes))
		} else {
			left++
		}
	}
	for _, h := range list {
		if h.Old >= to || h.Old+h.Olds <= from {
			continue
		}
		for i := max(h.Old, from); i < min(h.Old+h.Olds, to); i++ {
			add("-", old[i])
		}
		for i := h.Now; i < h.Now+h.Nows; i++ {
			add("+", now[i])
		}
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("(%d more changed lines)", left))
	}
	return strings.Join(out, "\n")
}
