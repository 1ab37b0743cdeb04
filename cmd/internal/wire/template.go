package wire

import (
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/internal/lists"
)

// Template is what --json prints of a template.
type Template struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Required    []templateField `json:"required_fields"`
	Optional    []templateField `json:"optional_fields"`
	Format      string          `json:"format,omitempty"`
	Origin      string          `json:"origin"`
}

type templateField struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Default     any    `json:"default,omitempty"`
}

// TemplateOf is a template.
func TemplateOf(t *template.Template) Template {
	field := func(f template.Field) templateField { return templateField(f) }
	return Template{
		t.Name, t.Description, lists.Map(t.Required, field), lists.Map(t.Optional, field), t.Format, t.Origin.String(),
	}
}
