package install

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Values to be written keep the order of their members.
type (
	object []member
	member struct {
		key string
		val any // object, []any, string, int or bool
	}
)

// A style is how a file is laid out.
type style struct {
	nl, unit     string
	colon, comma string
	wide         bool // members stand on lines of their own
}

// styleOf reads the style off a file; a new one is as Claude Code writes it.
func styleOf(src []byte, root *node) style {
	st := style{nl: "\n", unit: "  ", colon: ": ", comma: ", ", wide: true}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		st.nl = "\r\n"
	}
	if root == nil || len(root.items) == 0 {
		return st
	}
	first := root.items[0]
	st.wide = isWide(src, root)
	if st.wide {
		st.unit = lineIndent(src, first.from)
	}
	if b := bytes.TrimRight(src[first.from:first.val.from], " \t\r\n"); !st.wide && len(b) == first.val.from-first.from {
		st.colon, st.comma = ":", ","
	}
	return st
}

// isWide says whether the first item of a container is on a line of its own.
func isWide(src []byte, n *node) bool {
	return bytes.IndexByte(src[n.from:n.items[0].from], '\n') >= 0
}

// lineIndent is the white space that the line of an offset begins with.
func lineIndent(src []byte, at int) string {
	line := bytes.TrimPrefix(src[bytes.LastIndexByte(src[:at], '\n')+1:], bom)
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// render writes a value whose line is indented by indent.
func (st style) render(v any, indent string) string {
	switch v := v.(type) {
	case object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = quote(m.key) + st.colon + st.render(m.val, indent+st.unit)
		}
		return st.wrap("{", parts, "}", indent)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = st.render(e, indent+st.unit)
		}
		return st.wrap("[", parts, "]", indent)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return quote(v)
	}
	panic("install: value of another type")
}

func (st style) wrap(opening string, parts []string, closing, indent string) string {
	if len(parts) == 0 || !st.wide {
		return opening + strings.Join(parts, st.comma) + closing
	}
	inner := st.nl + indent + st.unit
	return opening + inner + strings.Join(parts, ","+inner) + st.nl + indent + closing
}

// quote writes a text as JSON.stringify does: no escapes for HTML.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
