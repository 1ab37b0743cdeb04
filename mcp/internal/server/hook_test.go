package server

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
)

// The client's hooks ask the server, which no model is told of.
func TestHookAsksTheServer(t *testing.T) {
	event, in, err := hookInput(map[string]any{
		"event": "post-tool-use", "session_id": "s", "stop_hook_active": "true", "prompt": `"hi"`,
		"tool_name": "Read", "file_path": "/a/b", "notebook_path": "", "pattern": "x|y", "path": "/a", "command": `echo "a"`, "error": "Exit code 1", "agent_id": "", "odd": 3.0,
	})
	want := `{"agent_id":"","error":"Exit code 1","odd":"","prompt":"\"hi\"","session_id":"s","stop_hook_active":true,"tool_input":{"command":"echo \"a\"","file_path":"/a/b","notebook_path":"","path":"/a","pattern":"x|y"},"tool_name":"Read"}`
	if diff := cmp.Diff(want, string(in)); diff != "" || event != "post-tool-use" || err != nil {
		t.Errorf("%s %v %s", event, err, diff)
	}
	for _, tool := range toolset.All() {
		if tool.Name == install.HookTool {
			t.Error("a model would be offered it")
		}
	}
	for _, elsewhere := range []bool{false, true} {
		var asked []string
		s := &Server{Client: &client.Client{Options: client.Options{Elsewhere: elsewhere, Hook: func(_ context.Context, event string, in []byte) string {
			asked = append(asked, event+" "+string(in))
			return "answer"
		}}}}
		r := protocol.Request{Method: "tools/call", Params: map[string]any{"name": install.HookTool, "arguments": map[string]any{"event": "stop"}}}
		result, e := s.Answer(t.Context(), r)
		if e != nil || len(asked) != 1 || asked[0] != "stop {}" || !strings.Contains(fmt.Sprintf("%+v", result), "answer") {
			t.Errorf("elsewhere %v: %v %v %q", elsewhere, result, e, asked)
		}
	}
	s := &Server{Client: &client.Client{}}
	if _, e := s.Answer(t.Context(), protocol.Request{Method: "tools/call", Params: map[string]any{"name": install.HookTool}}); e == nil {
		t.Error("a server without hooks answered one")
	}
}
