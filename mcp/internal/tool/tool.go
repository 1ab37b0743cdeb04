// Package tool has what every tool is: its arguments, the call that runs it, and what stands before the
// answer of a call.
package tool

import (
	"cmp"
	"context"
	"slices"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/recall"
)

// A Tool is something that the agent may call.
type Tool struct {
	Name, Doc  string
	Module     string
	Params     []arg.Param
	Templated  bool // fields of the template that a call names are arguments too
	Writes     bool // changes the memory or where the session stands
	Hook       bool // the client calls it at an event: the answer is no place for what the model lost
	Destroys   bool // what it changes is gone
	Idempotent bool // doing it twice does no more
	Run        func(context.Context, *Call) (string, error)
}

// A Call is a tool at work, with arguments that were checked.
type Call struct {
	Args    map[string]any
	Client  *client.Client
	Session string // of the client, when the call began
	Mem     *recall.Memory
	err     error              // why it could not be opened
	Back    *recall.Continuity // what the answer brings back; nil is nothing
	bundle  string             // of that
	own     []arg.Param        // fields of the template that the call names
}

// Text is an argument that is one, "" if it was not given.
func (c *Call) Text(name string) string { s, _ := c.Args[name].(string); return s }

// Flag is an argument that is true or false.
func (c *Call) Flag(name string) bool { b, _ := c.Args[name].(bool); return b }

// Count is an argument that is a whole number.
func (c *Call) Count(name string) int { n, _ := c.Args[name].(int); return n }

// Share is an argument that is a number from 0 to 1.
func (c *Call) Share(name string) float64 {
	f, _ := c.Args[name].(float64)
	return f
}

// Given reports whether there is such an argument.
func (c *Call) Given(name string) bool { _, ok := c.Args[name]; return ok }

// List is an argument that is a list of texts.
func (c *Call) List(name string) (out []string) {
	all, _ := c.Args[name].([]any)
	for _, v := range all {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// New begins a call of a client, which is closed when it is done.
func New(of *client.Client, args map[string]any) *Call {
	c := &Call{Client: of, Session: of.Session, Args: args}
	if of.Client != nil {
		c.Session = cmp.Or(of.Client(), c.Session)
	}
	return c
}

// Memory opens the memory; it is closed when the call is done.
func (c *Call) Memory(ctx context.Context) (*recall.Memory, error) {
	if c.Mem == nil && c.err == nil {
		c.Client.AwaitRoots(ctx)
		c.Mem, c.err = c.Client.Open(ctx, c.Session)
	}
	return c.Mem, c.err
}

// Close gives back what the call took.
func (c *Call) Close() {
	if c.Back != nil {
		c.Back.Release()
	}
	if c.Mem == nil || c.Mem.Store == nil {
		return
	}
	if err := c.Mem.Close(); err != nil {
		c.Client.Logf("close: %v", err)
	}
}

// In puts tools into a module.
func In(module string, list ...Tool) []Tool {
	for i := range list {
		list[i].Module = module
	}
	return list
}

// alwaysOffered are told of in the instructions, and needed to mend the setting.
var alwaysOffered = []string{"sage_version", "sage_health"}

// Offered reports whether the tool is offered where these modules are.
func (t *Tool) Offered(modules []string) bool {
	return slices.Contains(modules, t.Module) || slices.Contains(alwaysOffered, t.Name)
}

// Describe is short, for a model that is shown all tools pays for every word in every
// session. What the protocol takes for granted is left out, and so is a title, which
// would say what the name says, and that there are no other arguments: who gives one
// is told which there are.
func (t Tool) Describe() proto.Tool {
	in := proto.ToolInputSchema{Type: "object", Properties: map[string]any{}}
	for _, p := range t.Params {
		if p.Hidden {
			continue
		}
		in.Properties[p.Name] = p.Describe()
		in.PropertyOrder = append(in.PropertyOrder, p.Name)
		if p.Required {
			in.Required = append(in.Required, p.Name)
		}
	}
	return proto.Tool{Name: t.Name, Description: t.Doc, InputSchema: in, Annotations: t.hints()}
}

// hints say what a tool does to the memory. What it does stays on this machine.
func (t Tool) hints() proto.ToolAnnotation {
	yes, local := true, false
	if !t.Writes {
		return proto.ToolAnnotation{ReadOnlyHint: &yes, OpenWorldHint: &local}
	}
	h := proto.ToolAnnotation{DestructiveHint: &t.Destroys, OpenWorldHint: &local}
	if t.Idempotent {
		h.IdempotentHint = &yes
	}
	return h
}
