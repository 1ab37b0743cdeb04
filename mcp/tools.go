package mcp

import (
	"cmp"
	"context"
	"slices"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

// A tool is something that the agent may call.
type tool struct {
	name, doc  string
	module     string
	params     []arg.Param
	templated  bool // fields of the template that a call names are arguments too
	writes     bool // changes the memory or where the session stands
	hook       bool // the client calls it at an event: the answer is no place for what the model lost
	destroys   bool // what it changes is gone
	idempotent bool // doing it twice does no more
	run        func(context.Context, *call) (string, error)
}

// A call is a tool at work, with arguments that were checked.
type call struct {
	args    map[string]any
	client  *client
	session string // of the client, when the call began
	mem     *recall.Memory
	err     error              // why it could not be opened
	back    *recall.Continuity // what the answer brings back; nil is nothing
	bundle  string             // of that
	own     []arg.Param        // fields of the template that the call names
}

func (c *call) text(name string) string { s, _ := c.args[name].(string); return s }
func (c *call) flag(name string) bool   { b, _ := c.args[name].(bool); return b }
func (c *call) count(name string) int   { n, _ := c.args[name].(int); return n }
func (c *call) share(name string) float64 {
	f, _ := c.args[name].(float64)
	return f
}
func (c *call) given(name string) bool { _, ok := c.args[name]; return ok }

// list is an argument that is a list of texts.
func (c *call) list(name string) (out []string) {
	all, _ := c.args[name].([]any)
	for _, v := range all {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// newCall begins a call of a client, which is closed when it is done.
func newCall(of *client, args map[string]any) *call {
	c := &call{client: of, session: of.Session, args: args}
	if of.Client != nil {
		c.session = cmp.Or(of.Client(), c.session)
	}
	return c
}

// memory opens the memory; it is closed when the call is done.
func (c *call) memory(ctx context.Context) (*recall.Memory, error) {
	if c.mem == nil && c.err == nil {
		c.client.awaitRoots(ctx)
		c.mem, c.err = c.client.Open(ctx, c.session)
	}
	return c.mem, c.err
}

func (c *call) close() {
	if c.back != nil {
		c.back.Release()
	}
	if c.mem == nil || c.mem.Store == nil {
		return
	}
	if err := c.mem.Close(); err != nil {
		c.client.logf("close: %v", err)
	}
}

func toolNamed(name string) *tool {
	all := tools()
	if i := slices.IndexFunc(all, func(t tool) bool { return t.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Writes reports whether r calls a tool, or gets a prompt, that changes something.
func (s *server) Writes(r protocol.Request) bool {
	name, _ := r.Params["name"].(string)
	switch proto.MCPMethod(r.Method) {
	case proto.MethodToolsCall:
		t := toolNamed(name)
		return t != nil && t.writes
	case proto.MethodPromptsGet:
		return promptWrites(name)
	}
	return false
}

// call runs a tool. What goes wrong in it is a result for the model to read,
// not an error of the protocol.
func (s *server) call(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	name, ok := r.Params["name"].(string)
	if !ok {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: must be the name of a tool")
	}
	t := toolNamed(name)
	if t == nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: there is no tool %q", texts.Shown(name))
	}
	given, ok := r.Params["arguments"].(map[string]any)
	if !ok && r.Params["arguments"] != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "arguments: must be an object")
	}
	if !t.offered(s.modules(ctx)) {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: %s belongs to the module %s, which the setting 'modules' excludes", t.name, t.module)
	}
	c := newCall(s.client, nil)
	defer c.close()
	params := t.params
	if t.templated {
		params = append(slices.Clip(params), c.ownFields(ctx, params, given)...)
	}
	args, err := arg.Check(params, given)
	if err != nil {
		return proto.NewToolResultError(brief.Inert(texts.Fit(err.Error(), texts.MaxChars, "the rest is alike"))), nil
	}
	c.args = args
	c.greet(ctx)
	if !t.hook {
		c.regain(ctx)
	}
	answer, err := t.run(ctx, c)
	if err != nil {
		return proto.NewToolResultError(brief.Inert(texts.Fit(s.explain(err), texts.MaxChars, "the rest is alike"))), nil
	}
	return proto.NewToolResultText(brief.Inert(c.regained(r, s.greeted(answer)))), nil
}
