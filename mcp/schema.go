package mcp

import (
	proto "github.com/mark3labs/mcp-go/mcp"
)

// toolList is what the client is told of the tools of some modules. It is made of
// constants alone: nothing that was stored can speak through it.
func toolList(modules []string) []proto.Tool {
	var out []proto.Tool
	for _, t := range tools() {
		if t.offered(modules) {
			out = append(out, t.describe())
		}
	}
	return out
}

// describe is short, for a model that is shown all tools pays for every word in every
// session. What the protocol takes for granted is left out, and so is a title, which
// would say what the name says, and that there are no other arguments: who gives one
// is told which there are.
func (t tool) describe() proto.Tool {
	in := proto.ToolInputSchema{Type: "object", Properties: map[string]any{}}
	for _, p := range t.params { // of tools none is hidden
		in.Properties[p.Name] = p.Describe()
		in.PropertyOrder = append(in.PropertyOrder, p.Name)
		if p.Required {
			in.Required = append(in.Required, p.Name)
		}
	}
	return proto.Tool{Name: t.name, Description: t.doc, InputSchema: in, Annotations: t.hints()}
}

// hints say what a tool does to the memory. What it does stays on this machine.
func (t tool) hints() proto.ToolAnnotation {
	yes, local := true, false
	if !t.writes {
		return proto.ToolAnnotation{ReadOnlyHint: &yes, OpenWorldHint: &local}
	}
	h := proto.ToolAnnotation{DestructiveHint: &t.destroys, OpenWorldHint: &local}
	if t.idempotent {
		h.IdempotentHint = &yes
	}
	return h
}
