package sage

import (
	"strings"
	"unicode/utf8"
)

// Marshal prints c as the Markdown it is stored as: front matter, then the
// body. FORMAT.md of package gitstore describes it. There is one form only, and
// [Parse] reads it back. What is known from the commit is left out, as are
// keys of Extra that have a meaning of their own; bytes that are no UTF-8 are
// replaced, times are cut to seconds.
func Marshal(c *Checkpoint) []byte { return marshal(c, nil) }

// Export is Marshal with the id and the parents, for a file outside the store.
func Export(c *Checkpoint) []byte {
	from := ""
	if c.Elsewhere {
		from = c.Author
	}
	return marshal(c, []field{{"id", &c.ID}, {"parents", &c.Parents}, {"unconfirmed", &from}})
}

func marshal(c *Checkpoint, first []field) []byte {
	e := &emitter{}
	e.WriteString("---\n")
	for _, x := range plainFields(first) {
		e.entry(0, x.Key, x.Value)
	}
	e.entry(0, "type", "checkpoint")
	for _, x := range plainFields(c.header()) {
		e.entry(0, x.Key, x.Value)
	}
	for _, x := range plainEntries(c.Extra) {
		if !isKnown(x.Key) {
			e.entry(0, x.Key, x.Value)
		}
	}
	e.WriteString("---\n")
	writeBody(e, c)
	return []byte(e.String())
}

// The headings of the body, in order.
const (
	headThesis        = "Thesis"
	headEvidence      = "Key Evidence"
	headReasoning     = "Reasoning Trace"
	headQuestions     = "Open Questions"
	headSources       = "Sources"
	headTensions      = "Tensions"
	headContributions = "Unique Contributions"
	headCode          = "Code References"
)

// sectionMark begins a heading; lines of text that begin like it are shielded.
const sectionMark = "## "

func writeBody(e *emitter, c *Checkpoint) {
	if q := clean(c.CoreQuestion); q != "" {
		e.WriteString("\n# " + escapeLine(q, "") + "\n")
	}
	writeText(e, headThesis, c.Thesis)
	writeItems(e, headEvidence, c.KeyEvidence, printText)
	writeText(e, headReasoning, c.ReasoningTrace)
	writeItems(e, headQuestions, c.OpenQuestions, printText)
	writeItems(e, headSources, c.Sources, printSource)
	writeItems(e, headTensions, c.Tensions, printTension)
	writeItems(e, headContributions, c.UniqueContributions, printContribution)
	writeItems(e, headCode, c.CodeRefs, printCodeRef)
}

func clean(s string) string {
	if utf8.ValidString(s) { // which nearly all is, and is seen sooner
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

func writeText(e *emitter, head, text string) {
	if text = clean(text); text != "" {
		e.WriteString("\n" + sectionMark + head + "\n")
		e.WriteString(shield(escapeText(text, ""), 0, sectionMark))
		e.WriteByte('\n')
	}
}

func printText(s string) string { return escapeText(s, "") }

func writeItems[T any](e *emitter, head string, list []T, print func(T) string) {
	if len(list) == 0 {
		return
	}
	e.WriteString("\n" + sectionMark + head + "\n")
	for _, v := range list {
		e.WriteString(printItem(clean(print(v))) + "\n")
	}
}

// printItem makes an item of a list: lines after the first are indented.
func printItem(text string) string {
	if text == "" {
		return "-"
	}
	return "- " + eachLine(text, 1, func(line string) string {
		if line == "" {
			return ""
		}
		return "  " + line
	})
}
