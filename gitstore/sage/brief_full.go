package sage

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// recordSections are what a full brief shows beyond the thought itself.
func recordSections(c *Checkpoint) []briefSection {
	sections := []briefSection{
		{heading: "Source Details", one: "source detail", items: mapped(c.Sources, sourceDetail)},
		{heading: "Kinds of Discoveries", one: "kind of discovery", items: contributionItems(c)},
		{heading: "Domain", one: "domain field", items: domainItems(c)},
		{heading: "Custom Fields", one: "custom field", items: valueItems(c.Fields)},
		{heading: "Code References", one: "code reference", items: mapped(c.CodeRefs, codeRefItem)},
		{heading: "Knowledge Recalled", one: "knowledge item", items: briefItems(c.KnowledgeRecalled)},
		{heading: "Code State", one: "fact of the code state", items: pairItems(
			"Commit", c.Code.Commit, "Branch", c.Code.Branch, "Tree", c.Code.Tree, "Patch id", c.Code.PatchID, "Dirty", yes(c.Code.Dirty))},
		{heading: "Record", one: "fact of the record", items: recordItems(c)},
		{heading: "Other Keys", one: "other key", items: mapped(c.Extra, func(e Entry) string { return briefItem(e.Key + ": " + valueText(e.Value)) })},
	}
	for i := range sections {
		sections[i].rank = rankRecord
	}
	return sections
}

func sourceDetail(s Source) string {
	return briefItem(strings.Join(nonEmpty(
		labelled("id", s.ID), labelled("identifier", s.Identifier), labelled("type", s.Type),
		labelled("credibility", s.Credibility), labelled("relation", s.Relation)), "; "))
}

func contributionItems(c *Checkpoint) (items []string) {
	for _, u := range c.UniqueContributions {
		if u.Type != "" {
			items = append(items, briefItem(u.Type+": "+firstSentence(u.Content)))
		}
	}
	return items
}

func domainItems(c *Checkpoint) []string {
	return append(pairItems("Domain", c.Domain), valueItems(c.DomainData)...)
}

func valueItems(m map[string]any) (items []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		items = append(items, briefItem(k+": "+valueText(m[k])))
	}
	return items
}

func codeRefItem(r CodeRef) string {
	text := codeRefLine(r)
	if r.Blob != "" {
		text += ", blob " + r.Blob
	}
	if r.Snippet != "" {
		text += "\n" + r.Snippet
	}
	return briefItem(text)
}

func recordItems(c *Checkpoint) []string {
	return pairItems(
		"Id", c.ID, "Parents", strings.Join(c.Parents, ", "), "Author", c.Author, "Time", timeText(c.Time),
		"Trigger", string(c.Trigger), "Description", c.Description, "Skill", c.Skill, "Project", c.Project,
		"Template", c.Template, "Messages", countText(c.MessageCount), "Tokens of the conversation", countText(c.TokenEstimate),
		"Tokens of the checkpoint", countText(c.CheckpointTokens), "Compression ratio", ratioText(c.CompressionRatio),
		"Session", c.Session, "Agent", c.Agent, "Branch from", c.BranchFrom,
		"Merge sources", strings.Join(c.MergeSources, ", "), "Aliases", strings.Join(c.Aliases, ", "),
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
