package codec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A BodyParser reads the Markdown under the front matter.
type BodyParser struct {
	Old  bool // written by the tool we succeed, which escaped nothing
	last int  // of an old body: the section reached, as they come in order only
}

// A section is a heading of the body with the lines under it.
type section struct {
	head  int // index in sections
	lines []string
}

// sections are the headings in order, and what their text becomes.
var sections = []struct {
	head string
	read func(c *sage.Checkpoint, p *BodyParser, lines []string)
}{
	{headThesis, func(c *sage.Checkpoint, p *BodyParser, l []string) { p.text(&c.Thesis, l) }},
	{headEvidence, func(c *sage.Checkpoint, p *BodyParser, l []string) { readItems(p, &c.KeyEvidence, l, unescape) }},
	{headReasoning, func(c *sage.Checkpoint, p *BodyParser, l []string) { p.text(&c.ReasoningTrace, l) }},
	{headQuestions, func(c *sage.Checkpoint, p *BodyParser, l []string) { readItems(p, &c.OpenQuestions, l, unescape) }},
	{headSources, func(c *sage.Checkpoint, p *BodyParser, l []string) { readItems(p, &c.Sources, l, parseSource) }},
	{headTensions, func(c *sage.Checkpoint, p *BodyParser, l []string) { readItems(p, &c.Tensions, l, parseTension) }},
	{headContributions, func(c *sage.Checkpoint, p *BodyParser, l []string) {
		readItems(p, &c.UniqueContributions, l, parseContribution)
	}},
	{headCode, func(c *sage.Checkpoint, p *BodyParser, l []string) { readItems(p, &c.CodeRefs, l, parseCodeRef) }},
}

// heading returns the index of the section that line opens, or -1. An old body
// may hold anything, so there a heading counts only where its tool put one:
// after a blank line, and after the headings before it.
func (p *BodyParser) heading(line, before string) int {
	if !strings.HasPrefix(line, SectionMark) {
		return -1
	}
	name := strings.TrimSpace(line[len(SectionMark):])
	for i, s := range sections {
		if !strings.EqualFold(name, s.head) {
			continue
		}
		if p.Old && (strings.TrimSpace(before) != "" || i < p.last) {
			return -1
		}
		p.last = i + 1
		return i
	}
	return -1
}

// parse reads body into c, beside what the front matter gave.
func (p *BodyParser) parse(c *sage.Checkpoint, body string) error {
	if p.Old {
		body = escapeReferences(body)
	}
	lines := strings.Split(body, "\n")
	if c.ID != "" && !p.Old { // an export
		lines = withoutLineage(lines)
	}
	question, found := p.split(lines)
	if text := legible.TrimBlank(question); len(text) > 0 {
		if !isQuestion(text[0]) {
			return fmt.Errorf("text before the first heading: want '# question' or '## Thesis', have '%s'", legible.Visible(cut.Runes(text[0], 40)))
		}
		text[0] = strings.TrimPrefix(text[0][1:], " ")
		legible.AppendParagraph(&c.CoreQuestion, unescape(strings.Join(legible.TrimBlank(text), "\n")))
	}
	for _, s := range found {
		sections[s.head].read(c, p, s.lines)
	}
	return nil
}

func isQuestion(line string) bool { return line == "#" || strings.HasPrefix(line, "# ") }

// split finds the headings. What it returns are parts of lines.
func (p *BodyParser) split(lines []string) (question []string, found []section) {
	before, from := "", 0
	end := func(to int) {
		if len(found) == 0 {
			question = lines[:to:to]
		} else {
			found[len(found)-1].lines = lines[from:to:to]
		}
	}
	for i, line := range lines {
		if head := p.heading(line, before); head >= 0 {
			end(i)
			found, from = append(found, section{head: head}), i+1
		}
		before = line
	}
	end(len(lines))
	return question, found
}

func (p *BodyParser) text(to *string, lines []string) {
	s := strings.Join(legible.TrimBlank(lines), "\n")
	if !p.Old {
		s = unshield(s, 0, SectionMark)
	}
	legible.AppendParagraph(to, unescape(s))
}

// bulletMark is the length of the mark with which a line begins an item, and of the blank
// behind it: "- ", "* ", "+ ", "1. " or "12) ". 0 is none. A list of two million items
// would take a regular expression a second.
func bulletMark(line string) int {
	n := 0
	for n < len(line) && n < 3 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	ends := ".)"
	if n == 0 {
		ends = "-*+"
	}
	if n == len(line) || strings.IndexByte(ends, line[n]) < 0 {
		return 0
	}
	if n++; n < len(line) && line[n] != ' ' {
		return 0
	}
	return min(n+1, len(line))
}

// begins is the length of the mark with which a line begins an item of this body, or 0.
func (p *BodyParser) begins(line string) int {
	if p.Old && !strings.HasPrefix(line, "-") {
		return 0
	}
	return bulletMark(line)
}

// readItems reads a list. A line that begins no item belongs to the one before:
// indented by two as we write it, or not at all as the old tool did.
func readItems[T any](p *BodyParser, to *[]T, lines []string, parse func(string) T) {
	lines = legible.TrimBlank(lines)
	n := 0
	for _, line := range lines {
		if p.begins(line) > 0 {
			n++
		}
	}
	*to = slices.Grow(*to, n)
	for len(lines) > 0 {
		item, more := lines[0][p.begins(lines[0]):], 1
		for more < len(lines) && p.begins(lines[more]) == 0 {
			more++
		}
		if more > 1 {
			item = joinItem(item, lines[1:more])
		}
		*to = append(*to, parse(item))
		lines = lines[more:]
	}
}

// joinItem adds to the first line of an item those below it, but for empty ones at the end.
func joinItem(first string, more []string) string {
	var b strings.Builder
	b.WriteString(first)
	blank := 0
	for _, line := range more {
		if line == "" {
			blank++
			continue
		}
		for ; blank > 0; blank-- {
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// Headings are those of a body.
func Headings() (out []string) {
	for _, s := range sections {
		out = append(out, s.head)
	}
	return out
}
