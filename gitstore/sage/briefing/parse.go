package briefing

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

var (
	BriefTop = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(strings.TrimSpace(briefTitle)) + `[ \t]*$`)
	})
	ConclusionLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^## Conclusion(?: \(confidence: ([^()]+)\))?[ \t]*$`)
	})
	// shownLine begins what commands print above a brief.
	shownLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:checkpoint|recovery) [0-9a-f]{7,}|\[by )`)
	})
	briefRef = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\S+?)(?::(\d+)(?:-(\d+))?)?(?: ([^\s(]\S*?))?(?: \((\w+)\))?(?:, [^\n]*)?(?:\n[\s\S]*)?$`)
	})
)

// Parse reads what [Write] prints, so that it can be saved again. What a brief says of
// the record, of the state of the code and of how files are now is of its moment, and left.
func Parse(text string) (*sage.Checkpoint, error) {
	if at := BriefTop().FindAllStringIndex(text, 2); len(at) > 0 {
		switch above := strings.TrimSpace(text[:at[0][0]]); {
		case len(at) > 1:
			return nil, errors.New("more than one checkpoint: want one '" + strings.TrimSpace(briefTitle) + "'")
		case above != "" && !shownLine().MatchString(above):
			return nil, errors.New("text above '" + strings.TrimSpace(briefTitle) + "': leave it out")
		}
		text = text[at[0][1]:]
	}
	p := &briefParser{c: &sage.Checkpoint{}, other: map[string][]string{}}
	var lines []string
	head := ""
	for line := range strings.SplitSeq(text+"\n"+codec.SectionMark, "\n") {
		name, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), strings.TrimSpace(codec.SectionMark))
		if !ok || name != "" && name[0] != ' ' {
			lines = append(lines, line)
			continue
		}
		if err := p.section(head, legible.TrimBlank(lines)); err != nil {
			return nil, err
		}
		head, lines = strings.TrimSpace(name), nil
	}
	p.settle()
	return p.c, nil
}

// A briefParser collects the sections of a brief.
type briefParser struct {
	c       *sage.Checkpoint
	sources []string // as they are printed
	details []string
	kinds   []string
	other   map[string][]string // sections of fields
	order   []string
}

// section takes up a heading with what stands below it.
func (p *briefParser) section(head string, lines []string) error {
	c, text := p.c, unescapeMarkdown(strings.Join(lines, "\n"))
	items := briefList(lines)
	head, share, sure := strings.Cut(head, " (confidence: ")
	switch strings.ToLower(head) {
	case "":
		question, ok := strings.CutPrefix(text, "# ")
		if text != "" && !ok {
			return errors.New("text before the first heading: want '## Conclusion', or '## Core Question'")
		}
		legible.AppendParagraph(&c.CoreQuestion, question)
	case "core question":
		legible.AppendParagraph(&c.CoreQuestion, text)
	case "conclusion", "thesis":
		legible.AppendParagraph(&c.Thesis, withoutNote(text))
		if sure {
			f, err := shorthand.ParseShare(strings.TrimSuffix(share, ")"))
			if err != nil {
				return errors.New("confidence: " + err.Error())
			}
			c.Confidence = &f
		}
	case "key evidence":
		c.KeyEvidence = append(c.KeyEvidence, items...)
	case "reasoning", "reasoning trace":
		legible.AppendParagraph(&c.ReasoningTrace, withoutNote(text))
	case "open questions":
		c.OpenQuestions = append(c.OpenQuestions, items...)
	case "key sources", "sources":
		p.sources = append(p.sources, items...)
	case "source details":
		p.details = items
	case "tensions":
		for _, s := range items {
			t := shorthand.ParseTension(s)
			for _, word := range sage.WordSets()["tensions.resolution"] {
				if nature, ok := strings.CutSuffix(t.Nature, legible.InParens(word)); ok {
					t.Nature, t.Resolution = nature, word
				}
			}
			c.Tensions = append(c.Tensions, t)
		}
	case "unique discoveries", "unique contributions":
		for _, s := range items {
			c.UniqueContributions = append(c.UniqueContributions, sage.Contribution{Content: s})
		}
	case "kinds of discoveries":
		p.kinds = items
	case "goal":
		p.goal(lines)
	case "files":
		for _, s := range items {
			if file, ok := strings.CutSuffix(s, " (changed)"); ok {
				c.FilesChanged = append(c.FilesChanged, file)
			} else {
				c.FilesExplored = append(c.FilesExplored, s)
			}
		}
	case "code references":
		for _, s := range items {
			if r, ok := parseBriefRef(s); ok {
				c.CodeRefs = append(c.CodeRefs, r)
			}
		}
	case "knowledge recalled":
		c.KnowledgeRecalled = items
	case "record":
		p.record(items)
	case "code state", "other keys", "code that changed", "code that is not as it was":
	default:
		key := strings.ReplaceAll(strings.ToLower(head), " ", "_")
		p.other[key], p.order = lines, append(p.order, key)
	}
	return nil
}

// settle puts together what stands in several sections.
func (p *briefParser) settle() {
	c := p.c
	ids := map[string]string{}
	for i, s := range p.sources {
		var x sage.Source
		if i < len(p.details) && len(p.details) == len(p.sources) {
			x = sourceOfDetail(s, p.details[i])
		} else if named, err := shorthand.ParseSource(s); err == nil {
			x = named
		}
		if c.Sources = append(c.Sources, x); x.Identifier != "" {
			ids[x.Identifier] = x.ID
		}
	}
	for _, t := range c.Tensions {
		for i, name := range t.Between {
			t.Between[i] = cmp.Or(ids[name], name)
		}
	}
	for i := range c.UniqueContributions {
		u := &c.UniqueContributions[i]
		u.Type = "discovery"
		if len(p.kinds) == 0 {
			continue
		}
		if kind, begins, ok := strings.Cut(p.kinds[0], ": "); ok && begins == legible.FirstSentence(u.Content) {
			u.Type, p.kinds = kind, p.kinds[1:]
		}
	}
	for _, key := range p.order {
		var v any = unescapeMarkdown(strings.Join(p.other[key], "\n"))
		if lines := p.other[key]; len(lines) > 0 && strings.HasPrefix(lines[0], "- ") {
			list := []any{}
			for _, s := range briefList(lines) {
				list = append(list, s)
			}
			v = list
		}
		to := &c.Fields
		if c.Domain != "" && c.Template == "" && slices.Contains(fieldOrder, key) {
			to = &c.DomainData
		}
		if *to == nil {
			*to = map[string]any{}
		}
		(*to)[key] = v
	}
}

// goal reads the goal, and the items behind it.
func (p *briefParser) goal(lines []string) {
	a := &p.c.Action
	for len(lines) > 0 {
		last := lines[len(lines)-1]
		name, value, _ := strings.Cut(strings.TrimPrefix(last, "- "), ": ")
		switch {
		case !strings.HasPrefix(last, "- "):
			a.Goal = unescapeMarkdown(strings.Join(legible.TrimBlank(lines), "\n"))
			return
		case name == "Type":
			a.Type = value
		case name == "Deadline":
			a.Deadline = value
		case name == "Stakeholders":
			a.Stakeholders = strings.Split(value, ", ")
		}
		lines = lines[:len(lines)-1]
	}
}

// record takes from the record what belongs to the thought.
func (p *briefParser) record(items []string) {
	c := p.c
	for _, s := range items {
		name, value, _ := strings.Cut(s, ": ")
		switch name {
		case "Trigger":
			c.Trigger = sage.Trigger(value)
		case "Description":
			c.Description = value
		case "Skill":
			c.Skill = value
		case "Template":
			c.Template = value
		case "Domain":
			c.Domain = value
		}
	}
}

// briefList are the items of a section, each without its mark; that of a source stays.
func briefList(lines []string) (out []string) {
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, "- ")
		if !ok && len(line) > 3 && line[0] == '[' && line[2] == ']' && line[3] == ' ' {
			text, ok = line, true
		}
		switch {
		case ok:
			out = append(out, text)
		case strings.HasPrefix(line, leftOut), len(out) == 0:
		default:
			pad := 2
			if out[len(out)-1][0] == '[' {
				pad = 4
			}
			out[len(out)-1] += "\n" + strings.TrimPrefix(line, strings.Repeat(" ", pad))
		}
	}
	for i, s := range out {
		out[i] = strings.TrimRight(unescapeMarkdown(s), " \n")
	}
	return out
}

// leftOut begins the note of a brief that was cut.
const leftOut = "Left out for length: "

func withoutNote(text string) string {
	if i := strings.LastIndex(text, "\n"+leftOut); i >= 0 {
		text = strings.TrimRight(text[:i], "\n ")
	}
	return text
}

// unescapeMarkdown is what [escapeMarkdown] was given.
func unescapeMarkdown(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		at := len(line) - len(strings.TrimLeft(line, " \t"))
		text, ok := strings.CutPrefix(line[at:], `\`)
		bare := strings.TrimSpace(text)
		if ok && bare != "" && (bare[0] == '#' || strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == "" || isFence(bare)) {
			lines[i] = line[:at] + text
		}
	}
	return strings.Join(lines, "\n")
}

// sourceOfDetail is a source by its line and by its details, which tell its parts.
func sourceOfDetail(line, detail string) (s sage.Source) {
	for part := range strings.SplitSeq(detail, "; ") {
		name, value, _ := strings.Cut(part, " ")
		switch name {
		case "id":
			s.ID = value
		case "identifier":
			s.Identifier = value
		case "type":
			s.Type = value
		case "credibility":
			s.Credibility = value
		case "relation":
			s.Relation = value
		}
	}
	s.Take = line[min(len(line), 4):]
	name := cmp.Or(s.Identifier, s.ID, s.Type)
	if rest, ok := strings.CutPrefix(s.Take, name); ok && name != "" {
		s.Take = strings.TrimPrefix(rest, ": ")
	}
	return s
}

// parseBriefRef reads a code reference as a brief prints it, without the diff of what changed.
func parseBriefRef(s string) (r sage.CodeRef, ok bool) {
	if line, _, _ := strings.Cut(s, "\n"); strings.Contains(line, ", CHANGED since") {
		if at := strings.LastIndex(s, "\n@@ -"); at >= 0 {
			s = s[:at]
		}
	}
	m := briefRef().FindStringSubmatch(s)
	if m == nil {
		return r, false
	}
	r.File, r.Symbol, r.Relevance = m[1], m[4], m[5]
	if m[2] != "" {
		r.Lines[0], _ = strconv.Atoi(m[2])
		r.Lines[1], _ = strconv.Atoi(cmp.Or(m[3], m[2]))
	}
	if _, snippet, ok := strings.Cut(s, "\n"); ok {
		r.Snippet = snippet
	}
	return r, true
}
