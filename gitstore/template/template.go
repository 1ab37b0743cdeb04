// Package template holds checkpoint templates: which fields a checkpoint must
// have, which it may have, and how it is rendered for people.
//
// The format of a template is a part of Jinja2 (translate.go). A template may come
// from a stranger, so that part has no files, no macros, no Go methods, and a
// rendering has bounded steps and output. The stored form of a checkpoint does not
// depend on its template.
package template

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Template says what a kind of checkpoint holds and how it is shown.
type Template struct {
	Name        string
	Description string
	Required    []Field // must be given
	Optional    []Field
	Format      string // a part of Jinja2; empty means that of the default template
	Origin      Origin
}

// A Field is one that a template asks for: a name of the checkpoint's schema
// (core_question, thesis, sources, ...) or one of its own.
type Field struct {
	Name        string
	Description string
	Default     any // rendered when it is not given; nil for none
}

// An Origin says where a template comes from. What does not come from the
// program or the user is a stranger's, and only rendered after review.
type Origin struct {
	Kind Kind
	Path string // of the file, for User; path in the knowledge tree, for Repository
}

// A Kind is a place where templates lie.
type Kind int

// The kinds, in order of precedence: a later one hides an earlier one of the
// same name.
const (
	Unknown    Kind = iota // what Parse returns: somebody's
	BuiltIn                // part of the program
	User                   // a file of the user's own
	Repository             // the knowledge tree, which travels with the repository
)

// String returns "unknown", "built-in", "user" or "repository".
func (k Kind) String() string { return [...]string{"unknown", "built-in", "user", "repository"}[k] }

// IsTrusted reports whether a template from there may be rendered without review.
func (o Origin) IsTrusted() bool { return o.Kind == BuiltIn || o.Kind == User }

// String returns the kind, and the path if there is one.
func (o Origin) String() string {
	if o.Path == "" {
		return o.Kind.String()
	}
	return o.Kind.String() + " " + o.Path
}

const (
	maxFile   = 256 << 10 // bytes of a template's file
	maxFormat = 64 << 10  // bytes of a format
	maxFields = 200
)

var (
	templateName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`) })
	fieldName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,99}$`) })
)

// Parse reads a template from YAML: name, description, required_fields,
// optional_fields and format. The older form is read too: a list "fields" of
// names or of {name, required, default, description}. Keys that mean nothing
// here are ignored. The format is checked, not rendered: with a FormatError the
// template is returned, too, because its fields hold all the same.
func Parse(b []byte) (*Template, error) {
	t, err := parse(b)
	if err != nil {
		return nil, err
	}
	return t, t.validate()
}

func parse(b []byte) (*Template, error) {
	if len(b) > maxFile {
		return nil, fmt.Errorf("template has %d bytes, at most %d are allowed", len(b), maxFile)
	}
	var raw struct {
		Name, Description string
		Required          []fieldNode `yaml:"required_fields"`
		Optional          []fieldNode `yaml:"optional_fields"`
		Fields            []fieldNode
		Format            string
	}
	if err := yaml.Unmarshal(b, &raw); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	t := &Template{Name: raw.Name, Description: raw.Description, Format: raw.Format}
	t.add(raw.Required, true)
	t.add(raw.Optional, false)
	for _, f := range raw.Fields {
		t.add([]fieldNode{f}, f.required)
	}
	return t, nil
}

func (t *Template) add(list []fieldNode, required bool) {
	for _, f := range list {
		if required {
			t.Required = append(t.Required, f.Field)
		} else {
			t.Optional = append(t.Optional, f.Field)
		}
	}
}

// A fieldNode is a field as YAML has it: a name, or a mapping.
type fieldNode struct {
	Field
	required bool
}

// UnmarshalYAML reads either form.
func (f *fieldNode) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		f.Name = n.Value
		return nil
	}
	var raw struct {
		Name, Description string
		Required          bool
		Default           any
	}
	if err := n.Decode(&raw); err != nil {
		return err
	}
	f.Field = Field{Name: raw.Name, Description: raw.Description, Default: raw.Default}
	f.required = raw.Required
	return nil
}

func (t *Template) validate() error {
	if !templateName().MatchString(t.Name) {
		return fmt.Errorf("template name '%s': lower-case letters, digits and . _ - are allowed", legible.Visible(t.Name))
	}
	all := t.fields()
	if len(all) > maxFields {
		return fmt.Errorf("template '%s' has %d fields, at most %d are allowed", t.Name, len(all), maxFields)
	}
	seen := map[string]bool{}
	for _, f := range all {
		if !fieldName().MatchString(f.Name) {
			return fmt.Errorf("template '%s': field name '%s': letters, digits, _ and - are allowed", t.Name, legible.Visible(f.Name))
		}
		if seen[f.Name] {
			return fmt.Errorf("template '%s' names field '%s' twice", t.Name, f.Name)
		}
		seen[f.Name] = true
	}
	if _, err := (&run{}).compile(t.Format); err != nil {
		return fmt.Errorf("template '%s': %w", t.Name, err)
	}
	return nil
}

func (t *Template) fields() []Field { return slices.Concat(t.Required, t.Optional) }

// Missing returns the names of required fields that c leaves empty, in the
// template's order.
func (t *Template) Missing(c *sage.Checkpoint) []string {
	known := schema(c)
	var missing []string
	for _, f := range t.Required {
		v, isSchema := known[f.Name]
		if !isSchema {
			v = c.Fields[f.Name]
		}
		if isEmpty(v) && f.Default == nil {
			missing = append(missing, f.Name)
		}
	}
	return missing
}

// Own are the fields that t asks for beside those of the schema.
func (t *Template) Own() []Field {
	known := schema(&sage.Checkpoint{})
	var own []Field
	for _, f := range slices.Concat(t.Required, t.Optional) {
		if _, ok := known[f.Name]; !ok {
			own = append(own, f)
		}
	}
	return own
}

// Check returns an error that names every required field that c leaves empty.
func (t *Template) Check(c *sage.Checkpoint) error {
	missing := t.Missing(c)
	if len(missing) == 0 {
		return nil
	}
	known := schema(c)
	e := &MissingError{Template: t.Name, Fields: missing}
	for _, name := range missing {
		if _, ok := known[name]; !ok {
			e.Own = append(e.Own, name)
		}
	}
	return e
}

// Adopt makes fields of t of those keys of c that no schema knows and t asks for: they are
// written as the others are, beside them.
func (t *Template) Adopt(c *sage.Checkpoint) {
	for _, f := range t.Own() {
		i := slices.IndexFunc(c.Extra, func(x sage.Entry) bool { return x.Key == f.Name })
		if _, given := c.Fields[f.Name]; i < 0 || given {
			continue
		}
		if c.Fields == nil {
			c.Fields = map[string]any{}
		}
		c.Fields[f.Name] = c.Extra[i].Value
		c.Extra = slices.Delete(slices.Clone(c.Extra), i, i+1)
	}
}

// A MissingError names the required fields that a checkpoint leaves empty, and which of
// them are the template's own.
type MissingError struct {
	Template    string
	Fields, Own []string
}

// Error returns the message.
func (e *MissingError) Error() string {
	noun := "field"
	if len(e.Fields) > 1 {
		noun = "fields"
	}
	return fmt.Sprintf("template '%s' needs %s '%s'", e.Template, noun, strings.Join(e.Fields, "', '"))
}
