package briefing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

// Options say how much of a checkpoint a brief shows.
type Options struct {
	Full     bool // every field, also how the checkpoint came about
	MaxChars int  // at most so many characters (runes); 0 is no limit

	Order  []string        // fields of the template's own, in its order
	States []sage.RefState // how the files of CodeRefs are now, in their order; nil is not known
	Asides []string        // who held each of ComponentTheses, in their order: "" or " (...)"; nil is not known
}

const briefTitle = "# Where we left off\n"

// Write renders c as the Markdown that puts it back into an agent's context.
// Sections without content are left out. Sources are marked [+] supports, [-]
// contradicts, [~] nuances and [ ] context.
//
// With a limit the most valuable items are kept, whole but for the question
// and the thesis, which are cut rather than left out; the last line then says
// what is missing and how to see it. No text in c can pass for a heading or for
// text in another direction.
func Write(c *sage.Checkpoint, o Options) string {
	b := &brief{sections: thoughtSections(c, o), id: legible.ShortID(c.ID)}
	if o.Full {
		b.sections = append(b.sections, recordSections(c, o)...)
	}
	whole := b.render()
	if o.MaxChars <= 0 || utf8.RuneCountInString(whole) <= o.MaxChars {
		return whole
	}
	return b.fit(o.MaxChars)
}

// A section is a heading and what stands below it, item by item.
type section struct {
	heading string
	one     string // what the note calls an item that was left out; many with an s
	items   []string
	rank    int    // sections of a small rank are kept first
	gap     string // what stands between items
	cut     bool   // the first item is cut rather than left out
}

// Ranks of sections: what must not be lost comes first.
const (
	rankQuestion = iota
	rankThesis
	rankTensions
	rankDiscoveries
	rankQuestions
	rankEvidence
	rankFields
	rankSources
	rankGoal
	rankReasoning
	rankFiles
	rankRecord
)

func thoughtSections(c *sage.Checkpoint, o Options) []section {
	list := []section{
		{heading: "Core Question", one: "question", items: wholeText(c.CoreQuestion), rank: rankQuestion, cut: true},
		thesisSection(c, o.Asides),
		{heading: "Key Evidence", one: "piece of evidence", items: briefItems(c.KeyEvidence), rank: rankEvidence},
		{heading: "Reasoning", one: "paragraph of reasoning", items: escapedParagraphs(c.ReasoningTrace), rank: rankReasoning, gap: "\n"},
		{heading: "Open Questions", one: "open question", items: briefItems(c.OpenQuestions), rank: rankQuestions},
		{heading: "Key Sources", one: "source", items: legible.Each(c.Sources, briefSource), rank: rankSources},
		{heading: "Tensions", one: "tension", items: briefItems(legible.Each(c.Tensions, tensionText(c.Sources))), rank: rankTensions},
		{heading: "Unique Discoveries", one: "discovery", items: briefItems(legible.Each(c.UniqueContributions, func(u sage.Contribution) string { return u.Content })), rank: rankDiscoveries},
	}
	list = append(append(list, fieldSections(c.DomainData, nil)...), fieldSections(c.Fields, o.Order)...)
	list = append(list,
		section{heading: "Goal", one: "line of the goal", items: goalItems(c.Action), rank: rankGoal},
		section{heading: "Files", one: "file", items: fileItems(c), rank: rankFiles})
	if !o.Full { // which shows all of them
		list = append(list, refSection(c, o.States, func(r sage.CodeRef, now sage.RefState) bool { return now.IsStale() || r.Relevance != "context" }))
	}
	return list
}

// refSection shows the code references that are wanted, and how their files are now.
func refSection(c *sage.Checkpoint, states []sage.RefState, wanted func(sage.CodeRef, sage.RefState) bool) section {
	s := section{heading: "Code References", one: "code reference", rank: rankFiles}
	lines := RefLines(c.CodeRefs, states)
	for i, r := range c.CodeRefs {
		var now sage.RefState
		if i < len(states) {
			now = states[i]
		}
		if wanted(r, now) {
			s.items = append(s.items, briefItem(lines[i]+below(now.Diff)))
		}
	}
	return s
}

// below is a text on lines of its own, if there is one.
func below(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// refLine is a reference in a line, with how its file is now.
func refLine(r sage.CodeRef, now sage.RefState) string {
	if now.State == "" {
		return r.Line()
	}
	return r.Line() + ", " + now.String()
}

// RefLines are references in a line each, with how their files are now.
func RefLines(refs []sage.CodeRef, states []sage.RefState) (lines []string) {
	for i, r := range refs {
		var now sage.RefState
		if i < len(states) {
			now = states[i]
		}
		lines = append(lines, refLine(r, now))
	}
	return lines
}

// Beside are the sections that a text in the form of a template may lack: the fields
// of the domain, unless they are shown, and the code references whose files are not as
// they were. It is "" if there are none.
func Beside(c *sage.Checkpoint, o Options, domainShown bool) string {
	b := &brief{}
	if !domainShown {
		b.sections = fieldSections(c.DomainData, nil)
	}
	stale := refSection(c, o.States, func(_ sage.CodeRef, now sage.RefState) bool { return now.IsStale() })
	stale.heading = "Code That Changed"
	b.sections = append(b.sections, stale)
	return strings.TrimPrefix(b.render(), briefTitle)
}

func thesisSection(c *sage.Checkpoint, asides []string) section {
	s := section{heading: "Conclusion", one: "part of the thesis", rank: rankThesis, cut: true}
	if p := legible.Percent(c.Confidence); p != "" {
		s.heading += " (confidence: " + p + ")"
	}
	if c.Thesis != sage.NeedsSynthesis {
		s.items, s.gap = escapedParagraphs(c.Thesis), "\n"
		return s
	}
	s.cut = false
	s.items = append(s.items, sage.NeedsSynthesis+": the theses below disagree, and the merge is not settled. "+
		"Weigh them against the evidence, write one thesis that brings them together, and record it with sage_merge, or git sage merge --thesis.\n")
	for i, t := range c.ComponentTheses {
		from := legible.ShortID(t.From)
		if i < len(asides) {
			from += asides[i]
		}
		s.items = append(s.items, briefItem(strings.TrimPrefix(from+": ", ": ")+t.Thesis))
	}
	return s
}

func briefSource(s sage.Source) string {
	text := cmp.Or(s.Identifier, s.ID, s.Type)
	if text != "" && s.Take != "" {
		text += ": "
	}
	text += s.Take
	return indented(cmp.Or(shorthand.RelationMarks[s.Relation], "[ ] "), text)
}

// tensionText names sources by what people call them, not by id.
func tensionText(sources []sage.Source) func(sage.Tension) string {
	names := map[string]string{}
	for _, s := range sources {
		names[s.ID] = s.Identifier
	}
	return func(t sage.Tension) string {
		between := legible.Each(t.Between, func(id string) string { return cmp.Or(names[id], id) })
		text := strings.Join(between, " vs ")
		if text != "" && t.Nature != "" {
			text += ": "
		}
		return text + t.Nature + legible.InParens(t.Resolution)
	}
}

func goalItems(a sage.Action) []string {
	items := wholeText(a.Goal)
	for _, f := range []struct{ name, value string }{
		{"Type", a.Type}, {"Deadline", a.Deadline}, {"Stakeholders", strings.Join(a.Stakeholders, ", ")},
	} {
		if f.value != "" {
			items = append(items, briefItem(f.name+": "+f.value))
		}
	}
	return items
}

func fileItems(c *sage.Checkpoint) (items []string) {
	for _, f := range c.FilesChanged {
		items = append(items, briefItem(f+" (changed)"))
	}
	for _, f := range c.FilesExplored {
		if !slices.Contains(c.FilesChanged, f) {
			items = append(items, briefItem(f))
		}
	}
	return items
}

func wholeText(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return []string{escapeMarkdown(s) + "\n"}
}

func briefItems(list []string) []string { return legible.Each(list, briefItem) }

func briefItem(s string) string { return indented("- ", s) }

// indented puts s behind lead, further lines below the first.
func indented(lead, s string) string {
	pad := strings.Repeat(" ", len(lead))
	s = legible.EachLine(escapeMarkdown(s), 1, func(line string) string { return strings.TrimRight(pad+line, " ") })
	return strings.TrimRight(lead+s, " \n") + "\n"
}

func escapedParagraphs(s string) []string {
	return legible.Each(legible.Paragraphs(escapeMarkdown(s)), func(p string) string { return p + "\n" })
}

// escapeMarkdown makes s safe to stand among headings: no line of it is one,
// none underlines the line above into one, and a code block that s opens it
// also closes.
func escapeMarkdown(s string) string {
	lines := strings.Split(legible.Visible(strings.Trim(s, "\n")), "\n")
	fences := 0
	for _, line := range lines {
		if isFence(line) {
			fences++
		}
	}
	for i, line := range lines {
		if text := strings.TrimSpace(line); text == "" {
			lines[i] = ""
		} else if text[0] == '#' || strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "" || fences%2 == 1 && isFence(line) {
			at := strings.Index(line, text)
			lines[i] = line[:at] + `\` + line[at:]
		}
	}
	return strings.Join(lines, "\n")
}

func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func countOf(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.Contains(one, " of "): // pieces of evidence
		head, tail, _ := strings.Cut(one, " ")
		return strconv.Itoa(n) + " " + head + "s " + tail
	case strings.HasSuffix(one, "y"):
		return strconv.Itoa(n) + " " + strings.TrimSuffix(one, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + one + "s"
}
