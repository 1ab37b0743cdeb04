package markdown_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/roundtrip"
	"github.com/git-sage/git-sage/imports/markdown"
)

var day = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func items() []*sage.Item {
	return []*sage.Item{
		{ID: "adr-0001-record-decisions", Type: sage.Knowledge, Status: sage.Deprecated, Reason: "superseded", Replacement: "adr-0002-use-madr", Description: "Record decisions", Content: "## Decision\n\nWe write them down.", Added: day, Keywords: []string{"records"}},
		{ID: "adr-0002-use-madr", Type: sage.Knowledge, Status: sage.Active, Description: "Use MADR", Content: "## Decision\n\nMADR.", Added: day.Truncate(24 * time.Hour), Links: []sage.Link{{Kind: sage.Supersedes, To: "adr-0001-record-decisions"}}, Keywords: []string{"madr"}},
		{ID: "kiln", Type: sage.Preference, Status: sage.Active, Content: "Fire at night.\n\n- cheap\n  - and cool\n\n```sh\n# run\n```", Added: day, Source: "a talk", Links: []sage.Link{{Kind: sage.Related, To: "adr-0002-use-madr"}, {Kind: sage.Contradicts, To: "order"}}, Keywords: []string{"kiln log"}},
		{ID: "order", Type: sage.Todo, Status: sage.Done, Content: "Order clay", Added: day, Keywords: []string{"clay"}},
	}
}

// extra is what an item has beside its fields, without where it was brought in from.
func extra(it *sage.Item) map[string]any {
	out := map[string]any{}
	for _, x := range it.Extra {
		if x.Key != imports.ImportedKey {
			out[x.Key] = x.Value
		}
	}
	return out
}

// sorted is a list whose order a form does not keep.
func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func TestVaultComesBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: markdown.WriteVault,
		Read:  func(dir string) (imports.Source, error) { return markdown.ReadVault(markdown.Obsidian, dir, "v") },
		Says: func(it *sage.Item) []any {
			x := *it
			x.Extra, x.Updated = nil, time.Time{} // an item that was brought in is as new
			return []any{x, extra(it)}
		},
	}, items())
}

func TestBasicMemoryComesBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: markdown.WriteBasicMemory,
		Read: func(dir string) (imports.Source, error) {
			return markdown.ReadVault(markdown.BasicMemory, dir, "v")
		},
		Says: func(it *sage.Item) []any {
			return []any{it.Type, it.Title(), it.Content, it.Approach, it.WhyFailed, it.Learned, it.Keywords, it.Links, it.Added, it.Source, it.Status, it.Reason, it.When, it.Patterns, it.Scope, it.Aliases, extra(it)}
		},
	}, items())
}

// words are all that an item says: a title is a paragraph where a form has no place for one.
func words(it *sage.Item) string {
	x := *it
	x.Description = ""
	x.Content = strings.TrimSpace(it.Description + "\n\n" + it.Content)
	return x.Text()
}

// status is that of a record: superseded is a reason in it.
func status(it *sage.Item) string {
	if it.Status == sage.Superseded {
		return "deprecated superseded"
	}
	return string(it.Status) + " " + it.Reason
}

// decision is what a record says below its title: in a section, as each of its parts is.
func decision(it *sage.Item) string {
	x := *it
	x.Description = ""
	return strings.TrimPrefix(x.Text(), "## Decision\n\n")
}

func TestDecisionsComeBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: func(list []*sage.Item) map[string][]byte { files, _ := markdown.WriteDecisions(list); return files },
		Read:  func(dir string) (imports.Source, error) { return markdown.ReadDecisions(dir, "d") },
		Takes: func(it *sage.Item) bool { return strings.HasPrefix(it.ID, "adr-") && it.Type != sage.Todo },
		Key:   decision,
		Says: func(it *sage.Item) []any {
			var links []string
			for _, l := range it.Links { // ids are made of numbers and titles
				links = append(links, string(l.Kind))
			}
			return []any{status(it), decision(it), links, it.Added, sorted(it.Keywords)}
		},
	}, items())
}

func TestInstructionsComeBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: func(list []*sage.Item) map[string][]byte {
			data, _ := markdown.WriteInstructions(list)
			return map[string][]byte{"AGENTS.md": data}
		},
		Read: func(dir string) (imports.Source, error) { return markdown.ReadInstructions(dir, "", "AGENTS.md") },
		Takes: func(it *sage.Item) bool {
			return it.Status != sage.Deprecated && it.Status != sage.Archived && it.Status != sage.Superseded
		},
		Key: words,
		Says: func(it *sage.Item) []any {
			return []any{it.Type, it.Status, words(it), it.Approach, it.WhyFailed, it.Learned}
		},
	}, items())
}
