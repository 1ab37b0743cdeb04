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
		{ID: "lid", Type: sage.Todo, Status: sage.Pending, Description: "Mend the lid", Content: "It is cracked.", Added: day, Keywords: []string{"lid"}, Extra: []sage.Entry{{Key: "priority", Value: int64(1)}, {Key: "issue_type", Value: "bug"}, {Key: "due_at", Value: "2030-01-01T00:00:00Z"}}},
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
			priority := extra(it, "priority")
			if priority == nil { // as beads has it then
				priority = int64(2)
			}
			return []any{it.Status == sage.Pending, it.Title(), text, it.Links, it.Added, it.Keywords, priority, extra(it, "issue_type"), extra(it, "assignee"), extra(it, "due_at")}
		},
	}, items())
}

// beads refuses a closed issue without closed_at and an open one with it, takes an absent
// priority for the most urgent, and shows every label as one that somebody gave.
func TestIssuesAreAsBeadsTakesThem(t *testing.T) {
	data, _ := records.WriteIssues([]*sage.Item{
		{ID: "order", Type: sage.Todo, Status: sage.Done, Content: "Order clay", Keywords: []string{"order clay"}, Added: day, Updated: day},
		{ID: "lid", Type: sage.Todo, Status: sage.Pending, Content: "Mend the lid", Added: day, Updated: day, Extra: []sage.Entry{{Key: "closed_at", Value: "2025-10-18T09:00:00Z"}, {Key: "close_reason", Value: "Mended"}}},
	})
	want := `{"id":"order","title":"Order clay","status":"closed","priority":2,"created_at":"2024-05-06T07:08:09Z","updated_at":"2024-05-06T07:08:09Z","closed_at":"2024-05-06T07:08:09Z"}
{"id":"lid","title":"Mend the lid","status":"open","priority":2,"created_at":"2024-05-06T07:08:09Z","updated_at":"2024-05-06T07:08:09Z"}
`
	if string(data) != want {
		t.Errorf("%s", data)
	}
}
