package server

import (
	"context"
	"encoding/json"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// hook answers an event in the place of a program. It is no tool of the model's, and not
// among those that are listed. What a compaction took waits for the model's next call: a
// hook may not consume it.
func (s *Server) hook(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	given, _ := r.Params["arguments"].(map[string]any)
	event, in, err := hookInput(given)
	if err != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "arguments: %s", err)
	}
	return proto.NewToolResultText(s.Hook(ctx, event, in)), nil
}

// isHook says whether a request is a hook's.
func (s *Server) isHook(r protocol.Request) bool {
	return s.Hook != nil && r.Method == string(proto.MethodToolsCall) && r.Params["name"] == install.HookTool
}

// hookInput is the event, and what the client says of it in the form in which it tells a
// program. What comes here is texts only: the client fills them into a pattern.
func hookInput(given map[string]any) (event string, in []byte, err error) {
	say := map[string]any{}
	tool := map[string]any{}
	for k, v := range given {
		switch text, _ := v.(string); k {
		case "event":
			event = text
		case "file_path", "notebook_path", "pattern", "path", "command":
			tool[k] = text
		case "stop_hook_active":
			say[k] = text == "true"
		default:
			say[k] = text
		}
	}
	if len(tool) > 0 {
		say["tool_input"] = tool
	}
	in, err = json.Marshal(say)
	return event, in, err
}
