package blend

import (
	"slices"
	"strings"
)

// A text that versions disagree about is written like this, versions sorted:
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

// textSet takes a text apart into its versions: mostly one.
func textSet(s string) []string {
	lines := strings.Split(s, "\n")
	first, last := lines[0], len(lines)-1
	if last > 0 && lines[last] == "" {
		last--
	}
	if last < 2 || !strings.HasPrefix(first, textBegin) || !strings.HasSuffix(first, textFirst) || lines[last] != textEnd {
		return []string{s}
	}
	var out []string
	part := ""
	for _, l := range append(lines[1:last:last], textOr) {
		if l == textOr {
			out = append(out, part)
			part = ""
			continue
		}
		part += unescape(l) + "\n"
	}
	if !slices.IsSorted(out) || joinTexts(out) != s {
		return []string{s} // somebody is at work on it, or means something else
	}
	return out
}

// joinTexts is the inverse. Every version of several ends in a line end.
func joinTexts(set []string) string {
	if len(set) == 1 {
		return set[0]
	}
	var b strings.Builder
	for i, s := range set {
		if b.WriteString(textOr + "\n"); i == 0 {
			b.Reset()
			b.WriteString(textBegin + plural(len(set)) + textFirst + "\n")
		}
		for l := range strings.Lines(s) {
			b.WriteString(escape(strings.TrimSuffix(l, "\n")) + "\n")
		}
	}
	return b.String() + textEnd + "\n"
}

func plural(n int) string {
	digits := ""
	for ; n > 0; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	return digits
}

func marked(l string) bool { return strings.HasPrefix(strings.TrimLeft(l, "\\"), textBegin) }

func escape(l string) string {
	if marked(l) {
		return "\\" + l
	}
	return l
}

func unescape(l string) string {
	if marked(l) {
		return strings.TrimPrefix(l, "\\")
	}
	return l
}

// text merges texts as sets of versions.
func (b *blender) text(base string, sides []string) string {
	var changed []string
	for _, s := range sides {
		if s != base && !slices.Contains(changed, s) {
			changed = append(changed, s)
		}
	}
	switch len(changed) {
	case 0:
		return base
	case 1:
		return changed[0]
	}
	lists := make([][]string, len(changed))
	for i, s := range changed {
		lists[i] = ended(textSet(s))
	}
	out := set(ended(textSet(base)), lists, func(s string) string { return s })
	slices.Sort(out)
	if len(out) == 0 { // everybody dropped another one of several
		return ""
	}
	b.disagree = b.disagree || len(out) > 1
	return joinTexts(out)
}

// ended gives every version a line end, which sets cannot do without. One that says
// nothing is none.
func ended(list []string) (out []string) {
	for _, s := range list {
		if s = strings.TrimRight(s, "\n"); s != "" {
			out = append(out, s+"\n")
		}
	}
	return out
}
