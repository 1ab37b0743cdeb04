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
		in.Properties[p.name] = p.describe()
		in.PropertyOrder = append(in.PropertyOrder, p.name)
		if p.required {
			in.Required = append(in.Required, p.name)
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

func (p param) describe() map[string]any {
	s := map[string]any{}
	switch p.kind {
	case textArg, valueArg, linesArg:
		s["type"] = "string"
	case shareArg:
		s["type"] = "number"
		if !p.bare {
			s["minimum"], s["maximum"] = 0, 1
		}
	case countArg:
		s["type"] = "integer"
	case flagArg:
		s["type"] = "boolean"
	case listArg:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
	case groupsArg:
		s["type"], s["items"] = "array", p.describeGroup()
	case freeArg:
		s["type"] = "object"
	}
	if p.words != nil && !p.bare {
		s["enum"] = p.words[:len(p.words)-p.spellings]
	}
	if p.doc != "" {
		s["description"] = p.doc
	}
	if p.otherwise != nil && p.otherwise != false && p.otherwise != 0 { // what nobody gives is that anyway
		s["default"] = p.otherwise
	}
	return s
}

func (p param) describeGroup() map[string]any {
	if p.bare {
		return map[string]any{"type": "object"}
	}
	properties, required := map[string]any{}, []string{}
	for _, p := range p.group {
		if p.hidden {
			continue
		}
		properties[p.name] = p.describe()
		if p.required {
			required = append(required, p.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}
