package config

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// newline is how the lines of a file end.
func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// appendLine adds a line at the end.
func appendLine(src []byte, line string) []byte {
	nl := newline(src)
	out := slices.Clone(src)
	if len(bytes.TrimPrefix(out, bom)) > 0 && out[len(out)-1] != '\n' {
		out = append(out, nl...)
	}
	return append(out, line+nl...)
}

// place is the offset in src of a line and column as the YAML library counts
// them: from 1, in characters, without a byte order mark. It is -1 outside.
func place(src []byte, line, column int) int {
	at := 0
	if bytes.HasPrefix(src, bom) {
		at = len(bom)
	}
	for range line - 1 {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	for range column - 1 {
		if at >= len(src) || src[at] == '\n' {
			return -1
		}
		at++
		for at < len(src) && src[at]&0xc0 == 0x80 {
			at++
		}
	}
	return at
}

// lineEnd is the offset of the end of the line at from, before its break.
func lineEnd(src []byte, from int) int {
	end := len(src)
	if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
		end = from + i
	}
	if end > from && src[end-1] == '\r' {
		end--
	}
	return end
}

// replaceValue puts text in the place of a value that stands on the line of its
// key, and returns nil where that is not so.
func replaceValue(src []byte, key, value *yaml.Node, text string) []byte {
	from := place(src, value.Line, value.Column)
	if value.Kind != yaml.ScalarNode || value.Line != key.Line || value.Anchor != "" || from < 0 {
		return nil
	}
	n := tokenLen(string(src[from:lineEnd(src, from)]), value.Style)
	if n < 0 {
		return nil
	}
	return slices.Concat(src[:from], []byte(text), src[from+n:])
}

// tokenLen is the length of the scalar that s begins with, -1 if it goes on
// beyond the line.
func tokenLen(s string, style yaml.Style) int {
	switch {
	case style&yaml.SingleQuotedStyle != 0:
		return quotedLen(s, '\'')
	case style&yaml.DoubleQuotedStyle != 0:
		return quotedLen(s, '"')
	case style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0:
		return -1
	}
	for _, mark := range []string{" #", "\t#"} {
		if i := strings.Index(s, mark); i >= 0 {
			s = s[:i]
		}
	}
	return len(strings.TrimRight(s, " \t"))
}

func quotedLen(s string, q byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case q == '"' && s[i] == '\\':
			i++
		case s[i] == q && q == '\'' && i+1 < len(s) && s[i+1] == q:
			i++
		case s[i] == q:
			return i + 1
		}
	}
	return -1
}

// dropLine takes the line of a key out, if its value stands on it too.
func dropLine(src []byte, key, value *yaml.Node) []byte {
	from := place(src, key.Line, 1)
	if value.Kind != yaml.ScalarNode || value.Line != key.Line || from < 0 {
		return nil
	}
	end := bytes.IndexByte(src[from:], '\n')
	if end < 0 {
		return slices.Clone(src[:from])
	}
	return slices.Concat(src[:from], src[from+end+1:])
}
