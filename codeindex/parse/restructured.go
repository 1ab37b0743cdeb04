package parse

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// parseReStructuredText makes a section of each title, which is underlined. A text defines
// the levels by the order in which it uses the signs to do so.
func parseReStructuredText(source []byte) File {
	m := &markdownReader{source: source}
	m.out.Language = "restructuredtext"
	lines := linesOf(source)
	text := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		end := len(source)
		if i+1 < len(lines) {
			end = lines[i+1]
		}
		return string(bytes.TrimRight(source[lines[i]:end], " \t\r\n"))
	}
	var styles []string
	level := func(style string) int {
		if i := slices.Index(styles, style); i >= 0 {
			return i + 1
		}
		if len(styles) < 6 { // more are the deepest level
			styles = append(styles, style)
		}
		return len(styles)
	}
	blank := true
	for i := 0; i < len(lines); i++ {
		switch title, under := text(i), text(i+1); {
		case title == "":
			blank = true
			continue
		case isRule(title) && text(i+2) == title && strings.TrimSpace(under) != "" && !isRule(under):
			m.section(level(title[:1]+title[:1]), strings.TrimSpace(under), lines[i], i+1)
			d := &m.out.Definitions[len(m.out.Definitions)-1]
			d.Line, d.Signature = i+2, trimmed(source, Span{lines[i+1], lines[i+2]})
			i += 2
		case isRule(under) && !isRule(title) && title[0] != ' ' && utf8.RuneCountInString(title) <= len(under) && blank:
			m.section(level(under[:1]), title, lines[i], i+1)
			i++
		case blank:
			m.split(lines[i])
		}
		blank = false
	}
	m.closeFrom(1, len(source))
	for i := range m.out.Definitions {
		d := &m.out.Definitions[i]
		d.LastLine = lines.line(max(d.End-1, d.Start))
	}
	return m.out
}

// isRule reports whether a line is one of three or more same signs.
func isRule(line string) bool {
	return len(line) > 2 && strings.IndexByte("=-~^\"'`#*+.:_<>", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}
