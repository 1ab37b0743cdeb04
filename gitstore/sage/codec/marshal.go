package codec

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// Marshal prints c as the Markdown it is stored as: front matter, then the
// body. FORMAT.md of package gitstore describes it. There is one form only, and
// [Parse] reads it back. What is known from the commit is left out, as are
// keys of Extra that have a meaning of their own; bytes that are no UTF-8 are
// replaced, times are cut to seconds.
func Marshal(c *sage.Checkpoint) []byte { return marshal(c, nil) }

// Export is Marshal with the id and the parents, for a file outside the store.
func Export(c *sage.Checkpoint) []byte {
	from := ""
	if c.Elsewhere {
		from = c.Author
	}
	return marshal(c, []sage.Field{{Key: "id", Ptr: &c.ID}, {Key: "parents", Ptr: &c.Parents}, {Key: "unconfirmed", Ptr: &from}})
}

func marshal(c *sage.Checkpoint, first []sage.Field) []byte {
	e := &tree.Emitter{}
	e.WriteString("---\n")
	for _, x := range plainFields(first) {
		e.Entry(0, x.Key, x.Value)
	}
	e.Entry(0, "type", "checkpoint")
	for _, x := range plainFields(c.Header()) {
		e.Entry(0, x.Key, x.Value)
	}
	for _, x := range tree.PlainEntries(c.Extra) {
		if !sage.IsKnown(x.Key) {
			e.Entry(0, x.Key, x.Value)
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

// SectionMark begins a heading; lines of text that begin like it are shielded.
const SectionMark = "## "

func writeBody(e *tree.Emitter, c *sage.Checkpoint) {
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

func writeText(e *tree.Emitter, head, text string) {
	if text = clean(text); text != "" {
		e.WriteString("\n" + SectionMark + head + "\n")
		e.WriteString(shield(escapeText(text, ""), 0, SectionMark))
		e.WriteByte('\n')
	}
}

func printText(s string) string { return escapeText(s, "") }

func writeItems[T any](e *tree.Emitter, head string, list []T, print func(T) string) {
	if len(list) == 0 {
		return
	}
	e.WriteString("\n" + SectionMark + head + "\n")
	for _, v := range list {
		e.WriteString(printItem(clean(print(v))) + "\n")
	}
}

// printItem makes an item of a list: lines after the first are indented.
func printItem(text string) string {
	if text == "" {
		return "-"
	}
	return "- " + legible.EachLine(text, 1, func(line string) string {
		if line == "" {
			return ""
		}
		return "  " + line
	})
}

// Measure sets how long c is, as Markdown without the measures themselves, and how that
// compares with the conversation it came from, to four digits. The state of the code does not
// count: a save learns it later, and one that was exported and is saved again brings it along.
func Measure(c *sage.Checkpoint) {
	said := *c
	said.Code = sage.CodeState{}
	said.CheckpointTokens, said.CompressionRatio = 0, 0
	c.CheckpointTokens, c.CompressionRatio = legible.EstimateTokens(string(Marshal(&said))), 0
	if c.TokenEstimate > 0 {
		c.CompressionRatio = math.Round(1e4*float64(c.CheckpointTokens)/float64(c.TokenEstimate)) / 1e4
	}
}
