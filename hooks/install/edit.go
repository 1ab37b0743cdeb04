package install

import (
	"bytes"
	"cmp"
	"slices"
)

// A splice replaces src[from:to] by text.
type splice struct {
	from, to int
	text     string
}

// apply makes all splices; they do not overlap.
func apply(src []byte, list []splice) []byte {
	slices.SortStableFunc(list, func(a, b splice) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	at := 0
	for _, s := range list {
		out = append(out, src[at:s.from]...)
		out = append(out, s.text...)
		at = s.to
	}
	return append(out, src[at:]...)
}

// insert adds an item at the end of a container: a member if key is not "".
//
// The cases: (1) empty: behind its comments, before its last white space;
// (2) items on one line: ", item"; (3) items on lines: a comma behind the last
// value, and the item on a new line behind the comments of that line; where the
// last item has a comma already, the new one gets one too.
func insert(src []byte, st style, n *node, key string, val any) []splice {
	if len(n.items) == 0 {
		return insertFirst(src, st, n, key, val)
	}
	last := n.items[len(n.items)-1]
	st.wide = isWide(src, n)
	indent := lineIndent(src, n.items[0].from)
	end, tail := last.val.to, ""
	if last.comma >= 0 {
		end, tail = last.comma+1, ","
	}
	at, line := sameLineComments(src, end)
	sep := " "
	if st.wide || line {
		sep = st.nl + indent
	} else if st.comma == "," {
		sep = ""
	}
	text := sep + st.item(key, val, indent) + tail
	switch {
	case last.comma >= 0:
		return []splice{{at, at, text}}
	case at == end:
		return []splice{{at, at, "," + text}}
	}
	return []splice{{end, end, ","}, {at, at, text}}
}

func insertFirst(src []byte, st style, n *node, key string, val any) []splice {
	at, line := commentsEnd(src, n.from+1, n.to-1)
	outer := lineIndent(src, n.from)
	if !st.wide && !line {
		return []splice{{at, at, st.item(key, val, outer)}}
	}
	text := st.nl + outer + st.unit + st.item(key, val, outer+st.unit)
	if bytes.IndexByte(src[at:n.to], '\n') < 0 {
		text += st.nl + outer
	}
	return []splice{{at, at, text}}
}

func (st style) item(key string, val any, indent string) string {
	if key == "" {
		return st.render(val, indent)
	}
	return quote(key) + st.colon + st.render(val, indent)
}

// sameLineComments returns the end of the comments that follow on the same
// line, at itself if there are none, and whether the last one runs to the end
// of the line.
func sameLineComments(src []byte, at int) (end int, line bool) {
	end = at
	for i := at; i < len(src); {
		if c := commentLen(src[i:]); c > 0 {
			line = src[i+1] == '/'
			i += c
			end = i
		} else if src[i] == ' ' || src[i] == '\t' {
			i++
		} else {
			break
		}
	}
	return end, line
}

// remove takes an item out of its container, with its comma and the white space
// before it. Comments around it stay.
func remove(src []byte, n *node, i int) []splice {
	it, start := n.items[i], n.from+1
	if i > 0 {
		start = n.items[i-1].comma + 1
	}
	lead, line := commentsEnd(src, start, it.from)
	if len(n.items) == 1 && lead == start && len(bytes.Trim(src[it.val.to:n.to-1], " \t\r\n,")) == 0 {
		return []splice{{n.from + 1, n.to - 1, ""}}
	}
	list := []splice{{lead, it.val.to, ""}}
	if rest := bytes.TrimLeft(src[it.val.to:], " \t,"); line && (len(rest) == 0 || rest[0] != '\n' && rest[0] != '\r') {
		list[0].text = "\n" // else what follows would become part of the comment
	}
	if it.comma >= 0 {
		list = append(list, splice{it.comma, it.comma + 1, ""})
	} else if i > 0 {
		list = append(list, splice{start - 1, start, ""})
	}
	return list
}

// commentsEnd returns the end of the last comment between two offsets, from if
// there is none, and whether that one runs to the end of its line.
func commentsEnd(src []byte, from, to int) (end int, line bool) {
	end = from
	for i := from; i < to; {
		if c := commentLen(src[i:]); c > 0 {
			line = src[i+1] == '/'
			i += c
			end = i
		} else {
			i++
		}
	}
	return end, line
}
