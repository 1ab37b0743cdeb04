package diff

import (
	"cmp"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// Text shows d for a person, or "" if it is empty: headings, and under them
// lines that start with + for what is new, - for what is gone and ~ for what
// changed; with colour, in green, red and yellow. What could move a cursor or
// hide text is made visible.
func (d Difference) Text(color bool) string {
	w := &diffWriter{color: color}
	w.texts("Changed question", d.CoreQuestion)
	w.positions(d)
	w.conclusions(d)
	w.list("New evidence", '+', d.NewEvidence)
	w.list("Dropped evidence", '-', d.DroppedEvidence)
	w.reasoning(d.Reasoning)
	w.list("Questions answered", '-', d.QuestionsAnswered)
	w.list("Questions raised", '+', d.QuestionsRaised)
	w.list("New sources", '+', legible.Each(d.NewSources, sourceLine))
	w.list("Dropped sources", '-', legible.Each(d.DroppedSources, sourceLine))
	w.list("Changed sources", '~', legible.Each(d.ChangedSources, sourceChange))
	w.list("Tensions opened", '+', legible.Each(d.TensionsOpened, tensionLine))
	w.list("Tensions settled", '-', legible.Each(d.TensionsSettled, tensionLine))
	w.list("Changed tensions", '~', legible.Each(d.ChangedTensions, func(c Change[sage.Tension]) string {
		return tensionLine(c.Now) + ", previously " + legible.OrNone(c.Previously.Resolution)
	}))
	w.list("Changed fields", '~', legible.Each(d.ChangedFields, fieldChange))
	w.delta("Files explored", d.FilesExplored)
	w.delta("Files changed", d.FilesChanged)
	w.list("New code references", '+', legible.Each(d.NewCodeRefs, sage.CodeRef.Line))
	w.list("Dropped code references", '-', legible.Each(d.DroppedCodeRefs, sage.CodeRef.Line))
	w.list("Changed code references", '~', legible.Each(d.ChangedCodeRefs, func(c Change[sage.CodeRef]) string {
		return c.Now.Line() + ", previously " + legible.OrNone(c.Previously.Relevance)
	}))
	return w.String()
}

type diffWriter struct {
	strings.Builder
	color bool
}

func (w *diffWriter) heading(s string) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.WriteString(s + ":\n")
}

var signColor = map[byte]string{'+': "\x1b[32m", '-': "\x1b[31m", '~': "\x1b[33m"}

// item writes text behind its sign, further lines below the first.
func (w *diffWriter) item(sign byte, text string) {
	for i, line := range strings.Split(legible.Visible(text), "\n") {
		lead := "  " + string(sign) + " "
		if i > 0 {
			lead = "    "
		}
		line = strings.TrimRight(lead+line, " ")
		if w.color && line != "" {
			line = signColor[sign] + line + "\x1b[m"
		}
		w.WriteString(line + "\n")
	}
}

func (w *diffWriter) list(heading string, sign byte, items []string) {
	if len(items) == 0 {
		return
	}
	w.heading(heading)
	for _, s := range items {
		w.item(sign, s)
	}
}

func (w *diffWriter) texts(heading string, c *Change[string]) {
	if c != nil {
		w.heading(heading)
		w.item('~', "Previously: "+legible.OrNone(c.Previously))
		w.item('~', "Now: "+legible.OrNone(c.Now))
	}
}

func (w *diffWriter) positions(d Difference) {
	w.texts("Changed positions", d.Thesis)
	for _, t := range d.ComponentTheses {
		w.item('+', legible.ShortID(t.From)+": "+t.Thesis)
	}
	if c := d.Confidence; c != nil {
		if d.Thesis == nil {
			w.heading("Changed positions")
		}
		w.item('~', "Confidence: "+legible.OrNone(legible.Percent(c.Previously))+" -> "+legible.OrNone(legible.Percent(c.Now)))
	}
}

func (w *diffWriter) conclusions(d Difference) {
	w.list("Added conclusions", '+', legible.Each(d.AddedConclusions, byContent))
	w.list("Dropped conclusions", '-', legible.Each(d.DroppedConclusions, byContent))
}

// reasoning shows the paragraphs that came and went.
func (w *diffWriter) reasoning(c *Change[string]) {
	if c == nil {
		return
	}
	w.paragraphs("Changed reasoning", c.Previously, c.Now)
}

// paragraphs shows those that came to a text and went.
func (w *diffWriter) paragraphs(heading, before, after string) {
	w.heading(heading)
	added, dropped, _ := compare(strings.TrimSpace, legible.Paragraphs(before), legible.Paragraphs(after))
	for _, p := range dropped {
		w.item('-', p)
	}
	for _, p := range added {
		w.item('+', p)
	}
	if len(added)+len(dropped) == 0 {
		w.item('~', "the same paragraphs, in another order or spacing")
	}
}

func (w *diffWriter) delta(heading string, d *Delta) {
	if d == nil {
		return
	}
	w.heading(heading)
	for _, s := range d.Dropped {
		w.item('-', s)
	}
	for _, s := range d.New {
		w.item('+', s)
	}
}

func sourceLine(s sage.Source) string {
	line := "[" + cmp.Or(s.Identifier, s.ID, s.Type) + "]"
	if s.Take != "" {
		line += " - " + s.Take
	}
	return line + legible.InParens(s.Relation)
}

func sourceChange(c Change[sage.Source]) string {
	out := sourceLine(c.Now)
	for _, f := range []struct{ name, before, after string }{
		{"identifier", c.Previously.Identifier, c.Now.Identifier}, {"take", c.Previously.Take, c.Now.Take},
		{"relation", c.Previously.Relation, c.Now.Relation}, {"type", c.Previously.Type, c.Now.Type},
		{"credibility", c.Previously.Credibility, c.Now.Credibility},
	} {
		if f.before != f.after {
			out += "\n" + f.name + ": " + legible.OrNone(f.before) + " -> " + legible.OrNone(f.after)
		}
	}
	return out
}

func tensionLine(t sage.Tension) string {
	line := t.Nature
	if len(t.Between) > 0 {
		line = "[" + strings.Join(t.Between, "] vs [") + "] - " + line
	}
	return line + legible.InParens(t.Resolution)
}

// fieldChange tells of lists what went and what came, each on a line of its own.
func fieldChange(c Change[any]) string {
	was, ok := linesOf(c.Previously)
	now, ok2 := linesOf(c.Now)
	if !ok || !ok2 || len(was)+len(now) == 0 {
		return c.Key + ": " + tree.ValueText(c.Previously) + " -> " + tree.ValueText(c.Now)
	}
	added, dropped, _ := compare(bySelf, was, now)
	if len(added)+len(dropped) == 0 {
		return c.Key + ": in another order"
	}
	text := c.Key + ":"
	for _, s := range dropped {
		text += "\n- " + s
	}
	for _, s := range added {
		text += "\n+ " + s
	}
	return text
}

// linesOf are the parts of a list, of which a value that is missing has none, as people write
// them; ok is false of any other value.
func linesOf(v any) (lines []string, ok bool) {
	list, ok := tree.PlainValue(v).([]any)
	return legible.Each(list, func(x any) string { return legible.OneLine(briefing.FieldText(x)) }), ok || v == nil
}
