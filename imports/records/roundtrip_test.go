package records_test

import (
	"os"
	"path/filepath"
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

func readBack(t *testing.T, data []byte, read func(file, shown string) (imports.Source, error)) map[string]*sage.Item {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := read(file, "f.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return roundtrip.Items(t, src)
}

func TestGraphComesBack(t *testing.T) {
	roundtrip.Compare(t, readBack(t, records.WriteGraph(items()), records.ReadGraph), items(), func(it *sage.Item) any {
		return []any{it.Type, it.Content, it.Links, it.Aliases}
	})
}

func TestIssuesComeBack(t *testing.T) {
	data, others := records.WriteIssues(items())
	if others != 2 {
		t.Errorf("%d items are no todos, want 2", others)
	}
	roundtrip.Compare(t, readBack(t, data, records.ReadIssues), items()[2:], func(it *sage.Item) any {
		return []any{it.Type, it.Status, it.Description, it.Content, it.Links, it.Added, it.Keywords, it.Extra}
	})
}
