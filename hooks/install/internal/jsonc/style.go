package jsonc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
)

// A Style is how a file is laid out.
type Style struct {
	Newline, unit string
	Colon, Comma  string
	Wide          bool // members stand on lines of their own
}

// StyleOf reads the style off a file; a new one is as Claude Code writes it.
func StyleOf(src []byte, root *Node) Style {
	st := Style{Newline: "\n", unit: "  ", Colon: ": ", Comma: ", ", Wide: true}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		st.Newline = "\r\n"
	}
	if root == nil || len(root.Items) == 0 {
		return st
	}
	first := root.Items[0]
	st.Wide = IsWide(src, root)
	if st.Wide {
		st.unit = LineIndent(src, first.from)
	}
	if b := bytes.TrimRight(src[first.from:first.Value.From], " \t\r\n"); !st.Wide && len(b) == first.Value.From-first.from {
		st.Colon, st.Comma = ":", ","
	}
	return st
}

// IsWide says whether the first item of a container is on a line of its own.
func IsWide(src []byte, n *Node) bool {
	return bytes.IndexByte(src[n.From:n.Items[0].from], '\n') >= 0
}

// LineIndent is the white space that the line of an offset begins with.
func LineIndent(src []byte, at int) string {
	line := bytes.TrimPrefix(src[bytes.LastIndexByte(src[:at], '\n')+1:], edit.BOM)
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// Render writes a value whose line is indented by indent.
func (st Style) Render(v any, indent string) string {
	switch v := v.(type) {
	case Object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = Quote(m.Key) + st.Colon + st.Render(m.Value, indent+st.unit)
		}
		return st.wrap("{", parts, "}", indent)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = st.Render(e, indent+st.unit)
		}
		return st.wrap("[", parts, "]", indent)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return Quote(v)
	case json.RawMessage:
		return string(v)
	}
	panic("jsonc: value of another type")
}

func (st Style) wrap(opening string, parts []string, closing, indent string) string {
	if len(parts) == 0 || !st.Wide {
		return opening + strings.Join(parts, st.Comma) + closing
	}
	inner := st.Newline + indent + st.unit
	return opening + inner + strings.Join(parts, ","+inner) + st.Newline + indent + closing
}
