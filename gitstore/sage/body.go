package sage

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose/cut"
)

// A bodyParser reads the Markdown under the front matter.
type bodyParser struct {
	old  bool // written by the tool we succeed, which escaped nothing
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
	read func(c *Checkpoint, p *bodyParser, lines []string)
}{
	{headThesis, func(c *Checkpoint, p *bodyParser, l []string) { p.text(&c.Thesis, l) }},
	{headEvidence, func(c *Checkpoint, p *bodyParser, l []string) { readItems(p, &c.KeyEvidence, l, unescape) }},
	{headReasoning, func(c *Checkpoint, p *bodyParser, l []string) { p.text(&c.ReasoningTrace, l) }},
	{headQuestions, func(c *Checkpoint, p *bodyParser, l []string) { readItems(p, &c.OpenQuestions, l, unescape) }},
	{headSources, func(c *Checkpoint, p *bodyParser, l []string) { readItems(p, &c.Sources, l, parseSource) }},
	{headTensions, func(c *Checkpoint, p *bodyParser, l []string) { readItems(p, &c.Tensions, l, parseTension) }},
	{headContributions, func(c *Checkpoint, p *bodyParser, l []string) {
		readItems(p, &c.UniqueContributions, l, parseContribution)
	}},
	{headCode, func(c *Checkpoint, p *bodyParser, l []string) { readItems(p, &c.CodeRefs, l, parseCodeRef) }},
}

// heading returns the index of the section that line opens, or -1. An old body
// may hold anything, so there a heading counts only where its tool put one:
// after a blank line, and after the headings before it.
func (p *bodyParser) heading(line, before string) int {
	if !strings.HasPrefix(line, sectionMark) {
		return -1
	}
	name := strings.TrimSpace(line[len(sectionMark):])
	for i, s := range sections {
		if !strings.EqualFold(name, s.head) {
			continue
		}
		if p.old && (strings.TrimSpace(before) != "" || i < p.last) {
			return -1
		}
		p.last = i + 1
		return i
	}
	return -1
}

// parse reads body into c, beside what the front matter gave.
func (p *bodyParser) parse(c *Checkpoint, body string) error {
	if p.old {
		body = escapeReferences(body)
	}
	lines := strings.Split(body, "\n")
	if c.ID != "" && !p.old { // an export
		lines = withoutLineage(lines)
	}
	question, found := p.split(lines)
	if text := trimBlank(question); len(text) > 0 {
		if !isQuestion(text[0]) {
			return fmt.Errorf("text before the first heading: want '# question' or '## Thesis', have '%s'", Visible(cut.Runes(text[0], 40)))
		}
		text[0] = strings.TrimPrefix(text[0][1:], " ")
		add(&c.CoreQuestion, unescape(strings.Join(trimBlank(text), "\n")))
	}
	for _, s := range found {
		sections[s.head].read(c, p, s.lines)
	}
	return nil
}

func isQuestion(line string) bool { return line == "#" || strings.HasPrefix(line, "# ") }

func (p *bodyParser) split(lines []string) (question []string, found []section) {
	before := ""
	for _, line := range lines {
		switch i := p.heading(line, before); {
		case i >= 0:
			found = append(found, section{head: i})
		case len(found) == 0:
			question = append(question, line)
		default:
			s := &found[len(found)-1]
			s.lines = append(s.lines, line)
		}
		before = line
	}
	return question, found
}

// trimBlank drops blank lines at both ends; a text that begins or ends with
// one has it escaped.
func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.Trim(lines[0], " \t") == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.Trim(lines[len(lines)-1], " \t") == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (p *bodyParser) text(to *string, lines []string) {
	s := strings.Join(trimBlank(lines), "\n")
	if !p.old {
		s = unshield(s, 0, sectionMark)
	}
	add(to, unescape(s))
}

// add puts s where to points, after another text that is there already, so
// that nothing is lost of a section that comes twice.
func add(to *string, s string) {
	switch {
	case *to == "":
		*to = s
	case s != "" && s != *to:
		*to += "\n\n" + s
	}
}

var bulletMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+]|\d{1,3}[.)])(?: |$)`) })

// readItems reads a list. A line that begins no item belongs to the one before:
// indented by two as we write it, or not at all as the old tool did.
func readItems[T any](p *bodyParser, to *[]T, lines []string, parse func(string) T) {
	var items [][]string // the lines of each
	var blank int
	for _, line := range trimBlank(lines) {
		mark := bulletMark().FindString(line)
		if p.old && mark != "- " && mark != "-" {
			mark = ""
		}
		switch {
		case mark != "" || len(items) == 0:
			items = append(items, []string{line[len(mark):]})
			blank = 0
		case line == "":
			blank++
		default:
			last := &items[len(items)-1]
			*last = append(append(*last, make([]string, blank)...), strings.TrimPrefix(line, "  "))
			blank = 0
		}
	}
	for _, item := range items {
		*to = append(*to, parse(strings.Join(item, "\n")))
	}
}
