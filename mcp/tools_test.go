package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files")

// TestToolsAreAsPublished holds what clients see of the tools to a golden file:
// a change there is a change of the product.
func TestToolsAreAsPublished(t *testing.T) {
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(toolList()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "testdata", "mcp", "tools.json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("tools differ from %s; -update writes it:\n%s", file, d)
	}
}

// clientCut is where the client cuts descriptions and instructions.
const clientCut = 4096

func TestTextsFitTheClient(t *testing.T) {
	if n := len(utf16.Encode([]rune(instructions))); n >= clientCut {
		t.Errorf("instructions have %d characters", n)
	}
	for _, tool := range tools() {
		if len(tool.doc) >= clientCut || tool.doc == "" {
			t.Errorf("%s: description has %d characters", tool.name, len(tool.doc))
		}
	}
}

// TestAnnotationsAreTrue: a tool that is listed as reading only must not be
// among those that write.
func TestAnnotationsAreTrue(t *testing.T) {
	writes := map[string]bool{"sage_save_checkpoint": true, "sage_load_checkpoint": true, "sage_branch": true, "sage_merge": true}
	for _, tool := range toolList() {
		a := tool.Annotations
		if *a.ReadOnlyHint == writes[tool.Name] || *a.DestructiveHint || *a.OpenWorldHint {
			t.Errorf("%s: annotations %v %v %v", tool.Name, *a.ReadOnlyHint, *a.DestructiveHint, *a.OpenWorldHint)
		}
		if tool.OutputSchema.Type != "" || tool.RawOutputSchema != nil {
			t.Errorf("%s has an output schema: the client would hide its text", tool.Name)
		}
	}
}
