package mcp

import (
	"sync"

	proto "github.com/mark3labs/mcp-go/mcp"
)

// toolList is what the client is told of the tools. It is made of constants
// alone: nothing that was stored can speak through it.
var toolList = sync.OnceValue(func() []proto.Tool {
	var out []proto.Tool
	for _, t := range tools() {
		out = append(out, t.describe())
	}
	return out
})

func (t tool) describe() proto.Tool {
	in := proto.ToolInputSchema{Type: "object", Properties: map[string]any{}, AdditionalProperties: false}
	for _, p := range t.params {
		in.Properties[p.name] = p.describe()
		in.PropertyOrder = append(in.PropertyOrder, p.name)
		if p.required {
			in.Required = append(in.Required, p.name)
		}
	}
	local := false // nothing leaves this machine
	reads := !t.writes
	return proto.Tool{
		Name: t.name, Title: t.title, Description: t.doc, InputSchema: in,
		Annotations: proto.ToolAnnotation{
			Title: t.title, ReadOnlyHint: &reads, DestructiveHint: &t.destroys,
			IdempotentHint: &t.idempotent, OpenWorldHint: &local,
		},
	}
}

func (p param) describe() map[string]any {
	s := map[string]any{}
	switch p.kind {
	case textArg:
		s["type"] = "string"
	case shareArg:
		s["type"], s["minimum"], s["maximum"] = "number", 0, 1
	case countArg:
		s["type"], s["minimum"] = "integer", 0
	case flagArg:
		s["type"] = "boolean"
	case listArg:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
	case groupsArg:
		s["type"], s["items"] = "array", describeGroup(p.group)
	case freeArg:
		s["type"] = "object"
	}
	if p.words != nil {
		s["enum"] = p.words
	}
	if p.doc != "" {
		s["description"] = p.doc
	}
	if p.otherwise != nil {
		s["default"] = p.otherwise
	}
	return s
}

func describeGroup(group []param) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range group {
		properties[p.name] = p.describe()
		if p.required {
			required = append(required, p.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}
