package parse

import (
	"bytes"
	"strings"
)

// parseMarkdown makes a section of each heading, up to the next one of its level.
func parseMarkdown(source []byte) (File, error) {
	m := &markdownReader{source: source}
	number, at := 0, 0
	for line := range bytes.Lines(source) {
		number++
		m.line(line, at, number)
		at += len(line)
	}
	m.closeFrom(1, at)
	m.out.Language = "markdown"
	lines := linesOf(source)
	for i := range m.out.Definitions {
		d := &m.out.Definitions[i]
		d.LastLine = lines.line(max(d.End-1, d.Start))
	}
	return m.out, nil
}

type markdownReader struct {
	source []byte
	out    File
	open   []int // sections that hold the line at hand, by their index
	levels []int // of these
	fence  string
	before struct { // the paragraph's first line, which an underline makes a heading
		text       string
		at, number int
	}
	blank bool
}

func (m *markdownReader) line(line []byte, at, number int) {
	text := strings.TrimSpace(string(line))
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	switch {
	case m.fence != "":
		if strings.HasPrefix(text, m.fence) && strings.Trim(text, m.fence[:1]) == "" {
			m.fence = ""
		}
		m.before.text = ""
	case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
		m.split(at)
		m.fence = text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
		m.before.text = ""
	case text == "" || indent > 3:
		m.before.text = ""
	case m.before.text != "" && strings.Trim(text, "=") == "":
		m.section(1, m.before.text, m.before.at, m.before.number)
		m.before.text = ""
	case m.before.text != "" && strings.Trim(text, "-") == "":
		m.section(2, m.before.text, m.before.at, m.before.number)
		m.before.text = ""
	case headingLevel(text) > 0:
		level := headingLevel(text)
		title := strings.TrimSpace(strings.TrimRight(text[level:], "#"))
		m.section(level, title, at, number)
		m.before.text = ""
	default:
		if m.before.text == "" {
			m.before.at, m.before.number = at, number
			if m.blank {
				m.split(at)
			}
		}
		m.before.text = text
	}
	m.blank = text == ""
}

// headingLevel counts the signs before a heading; 0 for any other line.
func headingLevel(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "#"))
	if n > 6 || (n < len(text) && text[n] != ' ' && text[n] != '\t') {
		return 0
	}
	return n
}

// split notes that a block begins, deeper than all headings.
func (m *markdownReader) split(at int) {
	if n := len(m.out.Splits); n == 0 || m.out.Splits[n-1].Offset < at {
		m.out.Splits = append(m.out.Splits, Split{at, 7})
	}
}

func (m *markdownReader) section(level int, title string, at, number int) {
	m.closeFrom(level, at)
	d := Definition{Kind: "section", Name: title, Parent: -1, Span: Span{at, len(m.source)}, FirstLine: number, Line: number}
	if n := len(m.open); n > 0 {
		d.Parent = m.open[n-1]
		parent := m.out.Definitions[d.Parent]
		d.Container = join(parent.Container, parent.Name)
	}
	end := bytes.IndexByte(m.source[at:], '\n')
	if end < 0 {
		end = len(m.source) - at
	}
	d.Signature = trimmed(m.source, Span{at, at + end})
	if n := len(m.out.Splits); n > 0 && m.out.Splits[n-1].Offset == at {
		m.out.Splits = m.out.Splits[:n-1] // of the paragraph that this is instead
	}
	m.out.Splits = append(m.out.Splits, Split{at, level})
	m.open = append(m.open, len(m.out.Definitions))
	m.levels = append(m.levels, level)
	m.out.Definitions = append(m.out.Definitions, d)
}

// closeFrom ends the sections of a level and below it, before the line that begins at an
// offset.
func (m *markdownReader) closeFrom(level, at int) {
	for n := len(m.open); n > 0 && m.levels[n-1] >= level; n-- {
		d := &m.out.Definitions[m.open[n-1]]
		d.Span = trimmed(m.source, Span{d.Start, at})
		m.open, m.levels = m.open[:n-1], m.levels[:n-1]
	}
}
