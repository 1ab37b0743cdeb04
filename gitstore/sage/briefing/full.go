package briefing

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// recordSections are what a full brief shows beyond the thought itself.
func recordSections(c *sage.Checkpoint, o Options) []section {
	sections := []section{
		{heading: "Source Details", one: "source detail", items: legible.Each(c.Sources, sourceDetail)},
		{heading: "Kinds of Discoveries", one: "kind of discovery", items: contributionItems(c)},
		{heading: "Code References", one: "code reference", items: codeRefItems(c, o.States)},
		{heading: "Knowledge Recalled", one: "knowledge item", items: briefItems(c.KnowledgeRecalled)},
		{heading: "Code State", one: "fact of the code state", items: pairItems(
			"Commit", c.Code.Commit, "Branch", c.Code.Branch, "Tree", c.Code.Tree, "Patch id", c.Code.PatchID, "Dirty", yes(c.Code.Dirty))},
		{heading: "Record", one: "fact of the record", items: recordItems(c)},
		{heading: "Other Keys", one: "other key", items: legible.Each(c.Extra, func(e sage.Entry) string { return briefItem(e.Key + ": " + tree.ValueText(e.Value)) })},
	}
	for i := range sections {
		sections[i].rank = rankRecord
	}
	return sections
}

func sourceDetail(s sage.Source) string {
	return briefItem(strings.Join(nonEmpty(
		labelled("id", s.ID), labelled("identifier", s.Identifier), labelled("type", s.Type),
		labelled("credibility", s.Credibility), labelled("relation", s.Relation)), "; "))
}

func contributionItems(c *sage.Checkpoint) (items []string) {
	for _, u := range c.UniqueContributions {
		if u.Type != "" {
			items = append(items, briefItem(u.Type+": "+legible.FirstSentence(u.Content)))
		}
	}
	return items
}

func codeRefItems(c *sage.Checkpoint, states []sage.RefState) (items []string) {
	lines := RefLines(c.CodeRefs, states)
	for i, r := range c.CodeRefs {
		text := lines[i]
		if r.Blob != "" {
			text += ", blob " + r.Blob
		}
		text += below(r.Snippet)
		if i < len(states) {
			text += below(states[i].Diff)
		}
		items = append(items, briefItem(text))
	}
	return items
}

func recordItems(c *sage.Checkpoint) []string {
	return pairItems(
		"Id", c.ID, "Parents", strings.Join(c.Parents, ", "), "Author", c.Author, "Time", timeText(c.Time),
		"Trigger", string(c.Trigger), "Description", c.Description, "Skill", c.Skill, "Project", c.Project,
		"Template", c.Template, "Domain", c.Domain, "Messages", countText(c.MessageCount), "Tokens of the conversation", countText(c.TokenEstimate),
		"Tokens of the checkpoint", countText(c.CheckpointTokens), "Compression ratio", ratioText(c.CompressionRatio),
		"Session", c.Session, "Agent", c.Agent, "Branch from", c.BranchFrom,
		"Said to be none", strings.Join(legible.Each(c.SaidNone, fieldName), ", "), "Merge sources", strings.Join(c.MergeSources, ", "), "Aliases", strings.Join(c.Aliases, ", "),
	)
}

// pairItems turns names and values, in turn, into items; an empty value is none.
func pairItems(list ...string) (items []string) {
	for i := 0; i+1 < len(list); i += 2 {
		if list[i+1] != "" {
			items = append(items, briefItem(list[i]+": "+list[i+1]))
		}
	}
	return items
}

func labelled(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func ratioText(f float64) string {
	if f == 0 {
		return ""
	}
	return strconv.FormatFloat(f, 'g', 4, 64)
}
