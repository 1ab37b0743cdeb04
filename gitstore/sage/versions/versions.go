package versions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A text that a merge left in versions that disagree is written like this, versions
// sorted:
//
//	<!-- sage: 2 versions disagree; keep one, and delete these lines -->
//	the first
//	<!-- sage: or -->
//	the second
//	<!-- sage: end -->
//
// A line of a version that looks like one of these has backslashes before it, one
// more each time.
const (
	textBegin = "<!-- sage: "
	textFirst = " versions disagree; keep one, and delete these lines -->"
	textOr    = textBegin + "or -->"
	textEnd   = textBegin + "end -->"
)

// Split takes a text apart into the versions that a merge left in it: mostly one,
// the text itself. Each of several ends in a line end.
func Split(s string) []string {
	if !strings.HasPrefix(s, textBegin) || !strings.HasSuffix(strings.TrimSuffix(s, "\n"), "\n"+textEnd) {
		return []string{s}
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	var out []string
	var part strings.Builder
	for _, l := range append(lines[1:len(lines)-1:len(lines)-1], textOr) {
		if l == textOr {
			out = append(out, part.String())
			part.Reset()
			continue
		}
		part.WriteString(unmarkLine(l) + "\n")
	}
	if len(out) < 2 || !slices.IsSorted(out) || Join(out) != strings.TrimSuffix(s, "\n")+"\n" {
		return []string{s} // somebody is at work on it, or means something else
	}
	return out
}

// Join is the inverse: sorted, each version once. Every one of several ends
// in a line end.
func Join(list []string) string {
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	if len(list) == 1 {
		return list[0]
	}
	var b strings.Builder
	for i, s := range list {
		if i == 0 {
			b.WriteString(textBegin + strconv.Itoa(len(list)) + textFirst + "\n")
		} else {
			b.WriteString(textOr + "\n")
		}
		for l := range strings.Lines(s) {
			b.WriteString(markLine(strings.TrimSuffix(l, "\n")) + "\n")
		}
	}
	return b.String() + textEnd + "\n"
}

func isMarked(l string) bool { return strings.HasPrefix(strings.TrimLeft(l, "\\"), textBegin) }

func markLine(l string) string {
	if isMarked(l) {
		return "\\" + l
	}
	return l
}

func unmarkLine(l string) string {
	if isMarked(l) {
		return strings.TrimPrefix(l, "\\")
	}
	return l
}

// InWords is a text for who reads what is known, without the lines that mark versions: each
// of several is said to be one.
func InWords(s string) string {
	list := Split(s)
	if len(list) == 1 {
		return s
	}
	var b strings.Builder
	b.WriteString("Versions disagree, and one is right.")
	for i, v := range list {
		fmt.Fprintf(&b, "\n\nVersion %d of %d:\n%s", i+1, len(list), strings.Trim(v, "\n"))
	}
	return b.String()
}

// Tidy gives a text the line ends of Unix and takes those around it off, and
// around each version of one that a merge left.
func Tidy(text string) string {
	list := Split(UnixLines(text))
	for i, s := range list {
		list[i] = strings.Trim(s, "\n")
	}
	return strings.TrimRight(Join(list), "\n")
}

func UnixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
