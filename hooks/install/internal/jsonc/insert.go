package jsonc

import (
	"bytes"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
)

// Insert adds an item at the end of a container: a member if key is not "".
//
// The cases: (1) empty: behind its comments, before its last white space;
// (2) items on one line: ", item"; (3) items on lines: a comma behind the last
// value, and the item on a new line behind the comments of that line; where the
// last item has a comma already, the new one gets one too.
func Insert(src []byte, st Style, n *Node, key string, val any) []edit.Splice {
	if len(n.Items) == 0 {
		return insertFirst(src, st, n, key, val)
	}
	last := n.Items[len(n.Items)-1]
	st.Wide = IsWide(src, n)
	indent := LineIndent(src, n.Items[0].from)
	end, tail := last.Value.To, ""
	if last.comma >= 0 {
		end, tail = last.comma+1, ","
	}
	at, line := sameLineComments(src, end)
	sep := " "
	if st.Wide || line {
		sep = st.Newline + indent
	} else if st.Comma == "," {
		sep = ""
	}
	text := sep + st.item(key, val, indent) + tail
	switch {
	case last.comma >= 0:
		return []edit.Splice{{From: at, To: at, Text: text}}
	case at == end:
		return []edit.Splice{{From: at, To: at, Text: "," + text}}
	}
	return []edit.Splice{{From: end, To: end, Text: ","}, {From: at, To: at, Text: text}}
}

func insertFirst(src []byte, st Style, n *Node, key string, val any) []edit.Splice {
	at, line := commentsEnd(src, n.From+1, n.To-1)
	outer := LineIndent(src, n.From)
	if !st.Wide && !line {
		return []edit.Splice{{From: at, To: at, Text: st.item(key, val, outer)}}
	}
	text := st.Newline + outer + st.unit + st.item(key, val, outer+st.unit)
	if bytes.IndexByte(src[at:n.To], '\n') < 0 {
		text += st.Newline + outer
	}
	return []edit.Splice{{From: at, To: at, Text: text}}
}

func (st Style) item(key string, val any, indent string) string {
	if key == "" {
		return st.Render(val, indent)
	}
	return Quote(key) + st.Colon + st.Render(val, indent)
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

// Remove takes an item out of its container, with its comma and the white space
// before it. Comments around it stay.
func Remove(src []byte, n *Node, i int) []edit.Splice {
	it, start := n.Items[i], n.From+1
	if i > 0 {
		start = n.Items[i-1].comma + 1
	}
	lead, line := commentsEnd(src, start, it.from)
	if len(n.Items) == 1 && lead == start && len(bytes.Trim(src[it.Value.To:n.To-1], " \t\r\n,")) == 0 {
		return []edit.Splice{{From: n.From + 1, To: n.To - 1, Text: ""}}
	}
	list := []edit.Splice{{From: lead, To: it.Value.To, Text: ""}}
	if rest := bytes.TrimLeft(src[it.Value.To:], " \t,"); line && (len(rest) == 0 || rest[0] != '\n' && rest[0] != '\r') {
		list[0].Text = "\n" // else what follows would become part of the comment
	}
	if it.comma >= 0 {
		list = append(list, edit.Splice{From: it.comma, To: it.comma + 1, Text: ""})
	} else if i > 0 {
		list = append(list, edit.Splice{From: start - 1, To: start, Text: ""})
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
