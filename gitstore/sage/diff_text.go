package sage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
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
	w.list("New sources", '+', mapped(d.NewSources, sourceLine))
	w.list("Dropped sources", '-', mapped(d.DroppedSources, sourceLine))
	w.list("Changed sources", '~', mapped(d.ChangedSources, sourceChange))
	w.list("Tensions opened", '+', mapped(d.TensionsOpened, tensionLine))
	w.list("Tensions settled", '-', mapped(d.TensionsSettled, tensionLine))
	w.list("Changed tensions", '~', mapped(d.ChangedTensions, func(c Change[Tension]) string {
		return tensionLine(c.Now) + ", previously " + orNone(c.Previously.Resolution)
	}))
	w.list("Changed fields", '~', mapped(d.ChangedFields, fieldChange))
	w.delta("Files explored", d.FilesExplored)
	w.delta("Files changed", d.FilesChanged)
	w.list("New code references", '+', mapped(d.NewCodeRefs, CodeRef.line))
	w.list("Dropped code references", '-', mapped(d.DroppedCodeRefs, CodeRef.line))
	w.list("Changed code references", '~', mapped(d.ChangedCodeRefs, func(c Change[CodeRef]) string {
		return c.Now.line() + ", previously " + orNone(c.Previously.Relevance)
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
	for i, line := range strings.Split(Visible(text), "\n") {
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

func mapped[T, U any](list []T, fn func(T) U) (out []U) {
	for _, v := range list {
		out = append(out, fn(v))
	}
	return out
}

func (w *diffWriter) texts(heading string, c *Change[string]) {
	if c != nil {
		w.heading(heading)
		w.item('~', "Previously: "+orNone(c.Previously))
		w.item('~', "Now: "+orNone(c.Now))
	}
}

func (w *diffWriter) positions(d Difference) {
	w.texts("Changed positions", d.Thesis)
	for _, t := range d.ComponentTheses {
		w.item('+', shortID(t.From)+": "+t.Thesis)
	}
	if c := d.Confidence; c != nil {
		if d.Thesis == nil {
			w.heading("Changed positions")
		}
		w.item('~', "Confidence: "+orNone(percent(c.Previously))+" -> "+orNone(percent(c.Now)))
	}
}

func (w *diffWriter) conclusions(d Difference) {
	w.list("Added conclusions", '+', mapped(d.AddedConclusions, byContent))
	w.list("Dropped conclusions", '-', mapped(d.DroppedConclusions, byContent))
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
	added, dropped, _ := compare(strings.TrimSpace, paragraphs(before), paragraphs(after))
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

func paragraphs(s string) (out []string) {
	for p := range strings.SplitSeq(s, "\n\n") {
		if p = strings.Trim(p, "\n"); strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return out
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

func sourceLine(s Source) string {
	line := "[" + cmp.Or(s.Identifier, s.ID, s.Type) + "]"
	if s.Take != "" {
		line += " - " + s.Take
	}
	return line + inParens(s.Relation)
}

func sourceChange(c Change[Source]) string {
	out := sourceLine(c.Now)
	for _, f := range []struct{ name, before, after string }{
		{"identifier", c.Previously.Identifier, c.Now.Identifier}, {"take", c.Previously.Take, c.Now.Take},
		{"relation", c.Previously.Relation, c.Now.Relation}, {"type", c.Previously.Type, c.Now.Type},
		{"credibility", c.Previously.Credibility, c.Now.Credibility},
	} {
		if f.before != f.after {
			out += "\n" + f.name + ": " + orNone(f.before) + " -> " + orNone(f.after)
		}
	}
	return out
}

func tensionLine(t Tension) string {
	line := t.Nature
	if len(t.Between) > 0 {
		line = "[" + strings.Join(t.Between, "] vs [") + "] - " + line
	}
	return line + inParens(t.Resolution)
}

// line is r as people write it.
func (r CodeRef) line() string {
	line := r.File
	if span := r.span(); span != "" {
		line += ":" + span
	}
	if r.Symbol != "" {
		line += " " + r.Symbol
	}
	return line + inParens(r.Relevance)
}

func fieldChange(c Change[any]) string {
	return c.Key + ": " + valueText(c.Previously) + " -> " + valueText(c.Now)
}

// valueText shows a text as it is and anything else as JSON.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return orNone(v)
	}
	b, err := json.Marshal(finite(v))
	if err != nil { // deeper than any stored value
		return fmt.Sprint(v)
	}
	return string(b)
}

// span is the lines of r as people write them, or "".
func (r CodeRef) span() string {
	switch {
	case r.Lines == [2]int{}:
		return ""
	case r.Lines[0] == r.Lines[1] || r.Lines[1] == 0:
		return strconv.Itoa(r.Lines[0])
	}
	return strconv.Itoa(r.Lines[0]) + "-" + strconv.Itoa(r.Lines[1])
}

// percent shows a confidence, or "" for none.
func percent(f *float64) string {
	if f == nil || math.IsNaN(*f) {
		return ""
	}
	return strconv.FormatFloat(math.Round(*f*100), 'f', -1, 64) + "%"
}

func inParens(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func orNone(s string) string { return cmp.Or(s, "none") }

func shortID(id string) string {
	if len(id) > 8 && isHex(id) {
		return id[:8]
	}
	return id
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
