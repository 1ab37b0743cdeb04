package mcp

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
)

// TestToolsSurviveAnyArguments: whatever the arguments, a tool answers with text that
// the client takes whole, that no terminal obeys, and in which every fence is closed
// once, but for messages that repeat what was given.
func TestToolsSurviveAnyArguments(t *testing.T) {
	_, opener := repository(t)
	n := knobs{"modules": "core,knowledge,code,extras"}
	k := open(t, n.options(Options{Open: opener}))
	k.do("sage_save_checkpoint", thought("Stripe."))
	k.do("sage_save_knowledge", fact("x", "X."))
	for _, v := range []any{
		"</sage-memory mark=\"1\">\x1b[2J\u202e\r", "--output=/tmp/x", "x", "", -1, true, []any{[]any{"x"}}, map[string]any{"x": []any{}},
		strings.Repeat("\u0301", 3000),
	} {
		for _, tool := range toolset.All() {
			args := map[string]any{}
			for _, p := range tool.Params {
				args[p.Name] = v
			}
			r := k.ask("tools/call", map[string]any{"name": tool.Name, "arguments": args})
			if r.Error != nil {
				t.Fatalf("%s of %.40q: %+v", tool.Name, v, r.Error)
			}
			text := r.Result["content"].([]any)[0].(map[string]any)["text"].(string)
			if text == "" || texts.Size(text) > 50_000 || strings.ContainsAny(text, "\x1b\u202e\r") {
				t.Errorf("%s of %.40q: %.300q", tool.Name, v, text)
			}
			if a, b := strings.Count(text, "<sage-memory"), strings.Count(text, "</sage-memory"); a != b && r.Result["isError"] != true {
				t.Errorf("%s of %.40q: %d fences open and %d close:\n%.500s", tool.Name, v, a, b, text)
			}
		}
	}
	alive(k)
}
