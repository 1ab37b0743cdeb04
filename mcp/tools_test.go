package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/server"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
)

var update = flag.Bool("update", false, "write golden files")

// TestToolsAreAsPublished holds what clients see of the tools to a golden file:
// a change there is a change of the product.
func TestToolsAreAsPublished(t *testing.T) {
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must(t, e.Encode(toolset.List(client.AllModules)))
	file := filepath.Join("..", "testdata", "mcp", "tools.json")
	if *update {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, got.Bytes(), 0o644))
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
	if n := len(utf16.Encode([]rune(server.Instructions))); n >= clientCut {
		t.Errorf("instructions have %d characters", n)
	}
	if n := legible.EstimateTokens(server.Instructions); n > 400 {
		t.Errorf("instructions have %d tokens", n)
	}
	for _, name := range regexp.MustCompile(`sage_\w+`).FindAllString(server.Instructions, -1) {
		if !slices.ContainsFunc(toolset.All(), func(t tool.Tool) bool { return t.Name == name }) {
			t.Errorf("the instructions name %s, which is no tool", name)
		}
	}
	for _, tool := range toolset.All() {
		if len(tool.Doc) >= clientCut || tool.Doc == "" {
			t.Errorf("%s: description has %d characters", tool.Name, len(tool.Doc))
		}
	}
}

// TestAnnotationsAreTrue: a tool that is listed as reading only must not be
// among those that write, and one that destroys says so.
func TestAnnotationsAreTrue(t *testing.T) {
	reads := map[string]bool{}
	for _, name := range []string{
		"list_checkpoints", "search_checkpoints", "diff", "version", "health", "recall_knowledge", "list_knowledge",
		"list_todos", "get_pending_todos", "list_failures", "debug_query", "get_config", "list_core", "continuity_status",
		"search_code", "grep_symbol", "analyze_function", "code_context", "why",
	} {
		reads["sage_"+name] = true
	}
	for _, tool := range toolset.List(client.AllModules) {
		a := tool.Annotations
		if (a.ReadOnlyHint != nil) != reads[tool.Name] || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if destroys := a.DestructiveHint != nil && *a.DestructiveHint; destroys != (tool.Name == "sage_remove_knowledge") {
			t.Errorf("%s: destroys %v", tool.Name, destroys)
		}
		if tool.OutputSchema.Type != "" || tool.RawOutputSchema != nil {
			t.Errorf("%s has an output schema: the client would hide its text", tool.Name)
		}
	}
}

// maxSchemas is what all tools may cost a session, in characters: 4,500 tokens, 500 of them
// for those that find code.
const maxSchemas = 4 * 4500

// TestToolsAreCheap: the list of the default modules is paid for in every session.
func TestToolsAreCheap(t *testing.T) {
	k := open(t, Options{Open: closed})
	r := k.ask("tools/list", nil)
	b, err := json.Marshal(r.Result)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b); n > maxSchemas {
		t.Errorf("the tools cost %d characters, %d too many", n, n-maxSchemas)
	}
}
