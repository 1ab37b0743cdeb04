package template

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
)

const custom = `name: my-template
description: Custom template for X
required_fields:
  - core_question
  - thesis
optional_fields:
  - custom_field
format: |
  # {{ core_question }}

  ## Thesis
  {{ thesis }}

  {% if custom_field %}
  ## Custom Section
  {{ custom_field }}
  {% endif %}
`

// older is the form of the tool that we succeed.
const older = `name: spike
fields:
  - core_question
  - name: thesis
    required: true
    description: What was found?
  - name: budget_hours
    default: 4
`

func TestParse(t *testing.T) {
	for in, want := range map[string]*Template{
		custom: {
			Name: "my-template", Description: "Custom template for X",
			Required: []Field{{Name: "core_question"}, {Name: "thesis"}}, Optional: []Field{{Name: "custom_field"}},
			Format: "# {{ core_question }}\n\n## Thesis\n{{ thesis }}\n\n{% if custom_field %}\n## Custom Section\n{{ custom_field }}\n{% endif %}\n",
		},
		older: {
			Name:     "spike",
			Required: []Field{{Name: "thesis", Description: "What was found?"}},
			Optional: []Field{{Name: "core_question"}, {Name: "budget_hours", Default: 4}},
		},
	} {
		got, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
}

func TestBadTemplatesAreNamed(t *testing.T) {
	for in, want := range map[string]string{
		"name: [":                         "yaml",
		"name: Bad Name":                  "'Bad Name'",
		"description: x":                  "template name ''",
		"name: ../x":                      "'../x'",
		"name: x\nrequired_fields: [a b]": "'a b'",
		"name: x\nrequired_fields: [a]\nfields: [a]":           "'a' twice",
		"name: x\nformat: '{% if %}'":                          "template 'x': format",
		"name: x\nformat: \"{% include 'a' %}\"":               "template 'x': format",
		"name: x\nformat: '{% set x %}{% endset %}'":           "set block",
		"name: x\nformat: " + strings.Repeat("y", 70000):       "70000 bytes",
		strings.Repeat("#", maxFile+1):                         "bytes",
		"name: x\nfields: [" + strings.Repeat("a,", 201) + "]": "fields",
		"a: &a [x,x]\nb: &b [*a,*a]\nname: {x: *b}":            "yaml",
	} {
		if _, err := Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.60q): %v, want %q", in, err, want)
		}
	}
}

func TestMissing(t *testing.T) {
	set := NewSet()
	for name, c := range map[string]struct {
		c    sage.Checkpoint
		want string
	}{
		"default":     {sage.Checkpoint{}, "template 'default' needs field 'thesis'"},
		"research":    {sage.Checkpoint{Thesis: "x", CoreQuestion: " \n"}, "template 'research' needs fields 'core_question', 'sources'"},
		"decision":    {sage.Checkpoint{Thesis: "x"}, "template 'decision' needs field 'core_question'"},
		"code-review": {sage.Checkpoint{Fields: map[string]any{"findings": []any{}}}, "template 'code-review' needs field 'thesis'"},
	} {
		tmpl, err := set.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := tmpl.Check(&c.c); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
		if err := tmpl.Check(sample()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := set.List()[0].Check(&sage.Checkpoint{Thesis: "tokens rotate hourly"}); err != nil {
		t.Errorf("a thesis alone is refused: %v", err)
	}
}

func TestDefaultsAndFallback(t *testing.T) {
	tmpl, err := Parse([]byte(older))
	if err != nil {
		t.Fatal(err)
	}
	got, err := tmpl.Render(context.Background(), &sage.Checkpoint{Thesis: "it works", Fields: map[string]any{"zeal": true}})
	want := "## Thesis\nit works\n\n## Budget hours\n4\n\n## Zeal\nTrue\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadDir(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), custom)
	write(t, filepath.Join(dir, "incident.yaml"), "fields: [thesis, {name: impact, default: unknown}]")
	write(t, filepath.Join(dir, "incident.md.j2"), "{{ thesis }}: {{ impact }}")
	write(t, filepath.Join(dir, "broken.yaml"), "name: [")
	write(t, filepath.Join(dir, "readme.txt"), "no template")
	if err := os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	list, warnings := LoadDir(dir)
	if len(list) != 2 || len(warnings) != 2 || !strings.Contains(warnings[0].Error(), filepath.Join(dir, "broken.yaml")) {
		t.Fatalf("%v, %v", list, warnings)
	}
	set := NewSet(list)
	incident, err := set.Lookup("incident")
	if err != nil {
		t.Fatal(err)
	}
	if want := (Origin{User, filepath.Join(dir, "incident.yaml")}); incident.Origin != want || incident.Origin.String() != "user "+want.Path {
		t.Errorf("origin %v", incident.Origin)
	}
	got, err := incident.Render(context.Background(), &sage.Checkpoint{Thesis: "down"})
	if err != nil || got != "down: unknown\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if list, warnings := LoadDir(filepath.Join(dir, "none")); list != nil || warnings != nil {
		t.Errorf("a folder that does not exist gives %v, %v", list, warnings)
	}
}

// TestFormatsThatAreNotSupported shows that what else such a template says holds.
func TestFormatsThatAreNotSupported(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), "name: a\nrequired_fields: [severity]\nformat: |\n  # x\n  {% include 'b' %}\n")
	list, warnings := LoadDir(dir)
	want := filepath.Join(dir, "a.yaml") + ": template 'a': format, line 2: tag 'include' is not supported"
	if len(list) != 1 || len(warnings) != 1 || !strings.HasPrefix(warnings[0].Error(), want) {
		t.Fatalf("%v, %v", list, warnings)
	}
	if missing := list[0].Missing(&sage.Checkpoint{Thesis: "x"}); len(missing) != 1 || missing[0] != "severity" {
		t.Errorf("missing are %v", missing)
	}
	if out, err := list[0].Render(context.Background(), &sage.Checkpoint{Thesis: "x"}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("rendered %q, %v", out, err)
	}
}

func TestSetPrecedence(t *testing.T) {
	user := &Template{Name: "decision", Origin: Origin{Kind: User, Path: "/u"}}
	repo := &Template{Name: "decision", Origin: Origin{Kind: Repository, Path: "templates/decision.yaml"}}
	for _, set := range []*Set{NewSet([]*Template{user}, []*Template{repo}), NewSet([]*Template{repo}, []*Template{user})} {
		if got, _ := set.Lookup("decision"); got != repo {
			t.Errorf("got %v", got.Origin)
		}
	}
	var names []string
	for _, tmpl := range NewSet([]*Template{user, {Name: "aaa"}}).List() {
		names = append(names, tmpl.Name+" "+tmpl.Origin.String())
	}
	want := []string{"default built-in", "aaa unknown", "code-review built-in", "decision user /u", "research built-in"}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	for _, list := range [][]*Template{Builtin(), {user}, {repo}, {{Name: "x"}}} {
		if want := list[0].Origin.Kind == BuiltIn || list[0] == user; list[0].Origin.IsTrusted() != want {
			t.Errorf("%s: trusted is not %v", list[0].Origin, want)
		}
	}
	hidden := NewSet([]*Template{{Name: "default", Format: "mine"}})
	if got, _ := hidden.Lookup("default"); got.Format == "mine" {
		t.Error("a template from nowhere hides a built-in one")
	}
	_, err := NewSet().Lookup("nope")
	if err == nil || err.Error() != "no template 'nope' (there are default, code-review, decision, research)" {
		t.Error(err)
	}
	if d, err := NewSet().Lookup(""); err != nil || d.Name != "default" {
		t.Errorf("no name gives %v, %v", d, err)
	}
}

func TestBuiltinsCannotBeChanged(t *testing.T) {
	Builtin()[0].Required[0].Name = "other"
	if Builtin()[0].Required[0].Name != "thesis" {
		t.Error("a caller changed a built-in template")
	}
}

// TestBuiltinsAreValid holds because they are parsed without a check.
func TestBuiltinsAreValid(t *testing.T) {
	for _, tmpl := range Builtin() {
		if err := tmpl.validate(); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParseTemplate(f *testing.F) {
	f.Add([]byte(custom))
	f.Add([]byte(older))
	for _, name := range []string{"default", "research", "decision", "code-review"} {
		b, err := builtinFiles.ReadFile("builtin/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tmpl, err := Parse(b)
		if err != nil {
			return
		}
		if len(tmpl.Missing(&sage.Checkpoint{})) > len(tmpl.Required) {
			t.Error("more is missing than required")
		}
		_, _ = tmpl.Render(context.Background(), sample())
	})
}
