package server

import (
	"context"
	"slices"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/prompts"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
	"github.com/git-sage/git-sage/recall/brief"
)

// Writes reports whether r calls a tool, or gets a prompt, that changes something.
func (s *Server) Writes(r protocol.Request) bool {
	name, _ := r.Params["name"].(string)
	switch proto.MCPMethod(r.Method) {
	case proto.MethodToolsCall:
		t := toolset.Named(name)
		return t != nil && t.Writes
	case proto.MethodPromptsGet:
		return prompts.Writes(name)
	}
	return false
}

// call runs a tool. What goes wrong in it is a result for the model to read,
// not an error of the protocol.
func (s *Server) call(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	name, ok := r.Params["name"].(string)
	if !ok {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: must be the name of a tool")
	}
	t := toolset.Named(name)
	if t == nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: there is no tool %q", texts.Shown(name))
	}
	given, ok := r.Params["arguments"].(map[string]any)
	if !ok && r.Params["arguments"] != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "arguments: must be an object")
	}
	if !t.Offered(s.Modules(ctx)) {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: %s belongs to the module %s, which the setting 'modules' excludes", t.Name, t.Module)
	}
	c := tool.New(s.Client, nil)
	defer c.Close()
	params := t.Params
	if t.Templated {
		params = append(slices.Clip(params), c.OwnFields(ctx, params, given)...)
	}
	args, err := arg.Check(params, given)
	if err != nil {
		return proto.NewToolResultError(brief.Inert(texts.Fit(err.Error(), texts.MaxChars, "the rest is alike"))), nil
	}
	c.Args = args
	c.Greet(ctx)
	if !t.Hook {
		c.Regain(ctx)
	}
	answer, err := t.Run(ctx, c)
	if err != nil {
		return proto.NewToolResultError(brief.Inert(texts.Fit(s.Explain(err), texts.MaxChars, "the rest is alike"))), nil
	}
	return proto.NewToolResultText(brief.Inert(c.Regained(r, s.Greeted(answer)))), nil
}
