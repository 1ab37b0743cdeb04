package arg

// Describe is the schema that a client is told.
func (p Param) Describe() map[string]any {
	s := map[string]any{}
	switch p.Kind {
	case Text, Value, Lines:
		s["type"] = "string"
	case Share:
		s["type"] = "number"
		if !p.Bare {
			s["minimum"], s["maximum"] = 0, 1
		}
	case Count:
		s["type"] = "integer"
	case Flag:
		s["type"] = "boolean"
	case List:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
	case Groups:
		s["type"], s["items"] = "array", p.describeGroup()
	case Free:
		s["type"] = "object"
	}
	if p.Words != nil && !p.Bare {
		s["enum"] = p.Words[:len(p.Words)-p.Spellings]
	}
	if p.Doc != "" {
		s["description"] = p.Doc
	}
	if p.Otherwise != nil && p.Otherwise != false && p.Otherwise != 0 { // what nobody gives is that anyway
		s["default"] = p.Otherwise
	}
	return s
}

func (p Param) describeGroup() map[string]any {
	if p.Bare {
		return map[string]any{"type": "object"}
	}
	properties, required := map[string]any{}, []string{}
	for _, p := range p.Group {
		if p.Hidden {
			continue
		}
		properties[p.Name] = p.Describe()
		if p.Required {
			required = append(required, p.Name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}
