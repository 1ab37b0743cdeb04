package markdown_test

import (
	"os"
	"path/filepath"
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

// readBack writes files into a folder, reads them, and returns what came by its id.
func readBack(t *testing.T, files map[string][]byte, read func(dir string) (imports.Source, error)) map[string]*sage.Item {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return roundtrip.Items(t, src, imports.Noted)
}

func TestVaultComesBack(t *testing.T) {
	list := items()
	got := readBack(t, markdown.WriteVault(list), func(dir string) (imports.Source, error) { return markdown.ReadVault(markdown.Obsidian, dir, "v") })
	roundtrip.Compare(t, got, list, func(it *sage.Item) any {
		x := *it
		x.Extra, x.Updated, x.Aliases, x.Variants, x.DeletedBy = nil, time.Time{}, nil, nil, nil
		return x
	})
}

func TestBasicMemoryComesBack(t *testing.T) {
	list := items()
	got := readBack(t, markdown.WriteBasicMemory(list), func(dir string) (imports.Source, error) {
		return markdown.ReadVault(markdown.BasicMemory, dir, "v")
	})
	roundtrip.Compare(t, got, list, func(it *sage.Item) any {
		return []any{it.Type, it.Content, it.Keywords, it.Links, it.Added}
	})
}

func TestDecisionsComeBack(t *testing.T) {
	files, others := markdown.WriteDecisions(items())
	if others != 2 {
		t.Errorf("%d items are no decisions, want 2", others)
	}
	got := readBack(t, files, func(dir string) (imports.Source, error) { return markdown.ReadDecisions(dir, "d") })
	roundtrip.Compare(t, got, items()[:2], func(it *sage.Item) any {
		return []any{it.Type, it.Status, it.Reason, it.Replacement, it.Description, it.Content, it.Links, it.Added}
	})
}

func TestInstructionsComeBack(t *testing.T) {
	list := items()[2:]
	list = append(list, &sage.Item{Type: sage.Failure, Approach: "Fired with the lid open", WhyFailed: "it cracked", Learned: "close it"})
	got := readBack(t, map[string][]byte{"AGENTS.md": markdown.WriteInstructions(list)}, func(dir string) (imports.Source, error) {
		return markdown.ReadInstructions(dir, "", "AGENTS.md")
	})
	want := map[string]bool{}
	for _, it := range list {
		want[string(it.Type)+string(it.Status)+it.Content+it.Approach+it.WhyFailed+it.Learned] = true
	}
	for _, it := range got {
		if it.Type == sage.Failure {
			it.Status = ""
		}
		key := string(it.Type) + string(it.Status) + it.Content + it.Approach + it.WhyFailed + it.Learned
		if !want[key] {
			t.Errorf("came back as %q", key)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("did not come back: %v", want)
	}
}
