package records_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/roundtrip"
	"github.com/git-sage/git-sage/imports/records"
)

var day = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func items() []*sage.Item {
	return []*sage.Item{
		{ID: "kiln-4", Type: sage.Knowledge, Status: sage.Active, Description: "Kiln 4", Aliases: []string{"Kiln 4"}, Content: "- Fires to 1260 degrees\n- Reads low\n  by 8 degrees", Extra: []sage.Entry{{Key: "entity_type", Value: "equipment"}}},
		{ID: "ada", Type: sage.Preference, Status: sage.Active, Content: "Prefers cone 6.", Links: []sage.Link{{Kind: sage.Related, To: "kiln-4"}, {Kind: sage.Extends, To: "order"}}},
		{ID: "order", Type: sage.Todo, Status: sage.Done, Description: "Order clay", Content: "White.\n\n## Notes\n\nBy May.\n\n## Comments\n\n2025-10-18T09:00:00Z ada: Done", Added: day, Keywords: []string{"clay"}, Links: []sage.Link{{Kind: sage.Related, To: "lid"}}},
		{ID: "lid", Type: sage.Todo, Status: sage.Pending, Description: "Mend the lid", Content: "It is cracked.", Added: day, Keywords: []string{"lid"}, Extra: []sage.Entry{{Key: "priority", Value: int64(1)}, {Key: "issue_type", Value: "bug"}}},
	}
}

// extra is a value that an item has beside its fields.
func extra(it *sage.Item, key string) any {
	for _, x := range it.Extra {
		if x.Key == key {
			return x.Value
		}
	}
	return nil
}

func TestGraphComesBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: func(list []*sage.Item) map[string][]byte {
			return map[string][]byte{"memory.jsonl": records.WriteGraph(list)}
		},
		Read: func(dir string) (imports.Source, error) {
			return records.ReadGraph(filepath.Join(dir, "memory.jsonl"), "memory.jsonl")
		},
		Says: func(it *sage.Item) []any {
			typ := any(it.Type.Kind())
			if t := extra(it, "entity_type"); t != nil {
				typ = t
			}
			x := *it
			if slices.Contains(it.Aliases, it.Description) { // it names the entity
				x.Description = ""
			}
			return []any{typ, x.Text(), it.Links, extra(it, "relations")}
		},
	}, items())
}

func TestIssuesComeBack(t *testing.T) {
	roundtrip.Hold(t, roundtrip.Form{
		Write: func(list []*sage.Item) map[string][]byte {
			data, _ := records.WriteIssues(list)
			return map[string][]byte{"issues.jsonl": data}
		},
		Read: func(dir string) (imports.Source, error) {
			return records.ReadIssues(filepath.Join(dir, "issues.jsonl"), "issues.jsonl")
		},
		Takes: func(it *sage.Item) bool { return it.Type == sage.Todo },
		Says: func(it *sage.Item) []any {
			text := it.Content
			if text == it.Title() { // an issue has its title alone
				text = ""
			}
			return []any{it.Status == sage.Pending, it.Title(), text, it.Links, it.Added, it.Keywords, extra(it, "priority"), extra(it, "issue_type"), extra(it, "assignee")}
		},
	}, items())
}
