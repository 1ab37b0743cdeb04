package recall_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

const incident = `name: incident
description: What broke
required_fields: [thesis, severity]
format: "Severity: {{ severity }} of {{ thesis }}"
`

func writeTemplate(t *testing.T, m *recall.Memory, name, text string) {
	t.Helper()
	dir := filepath.Join(m.Stores.Home, "templates")
	must(t, os.MkdirAll(dir, 0o777))
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

func writeTree(t *testing.T, m *recall.Memory, file, text string) {
	t.Helper()
	must(t, m.Store.Tree.WriteFiles(t.Context(), "template", map[string][]byte{file: []byte(text)}))
}

func TestTemplateNamesWhatIsMissing(t *testing.T) {
	m := newMemory(t, "")
	writeTemplate(t, m, "incident.yaml", incident)
	n := note("the disk")
	n.Template = "incident"
	_, err := m.Save.Checkpoint(t.Context(), n)
	var invalid *save.InvalidError
	if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "'severity'") {
		t.Errorf("error %v", err)
	}
	n.Draft.Checkpoint.Fields = map[string]any{"severity": "high"}
	s := saveNote(t, m, n)
	c, err := m.Store.Commits.Load(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := m.Templates.Brief(t.Context(), c, recall.BriefOptions{})
	if err != nil || strings.TrimSpace(text) != "Severity: high of the disk" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTemplateOfTheRepository(t *testing.T) {
	m := newMemory(t, "")
	writeTree(t, m, "templates/incident.yaml", incident)
	writeTree(t, m, "templates/default.yaml", strings.Replace(incident, "name: incident", "name: default", 1))
	writeTree(t, m, "templates/liar.yaml", incident)
	n := note("the disk")
	n.Template = "incident"
	if _, err := m.Save.Checkpoint(t.Context(), n); err == nil || !strings.Contains(err.Error(), "'severity'") {
		t.Errorf("error %v", err)
	}
	saveNote(t, m, note("needs no severity: the default template is not the repository's"))
	set, warnings := m.Templates.List(t.Context())
	tmpl, err := set.Lookup("incident")
	if err != nil || tmpl.Origin.Kind != template.Repository {
		t.Errorf("%+v, %v", tmpl, err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "templates/liar.yaml") {
		t.Errorf("warnings %v", warnings)
	}
}

func TestUnknownTemplate(t *testing.T) {
	m := newMemory(t, "")
	writeTemplate(t, m, "broken.yaml", "name: [")
	for _, name := range []string{"nosuch", "broken", "../../etc/passwd", "a:b"} {
		n := note("x")
		n.Template = name
		if _, err := m.Save.Checkpoint(t.Context(), n); err == nil || !strings.Contains(err.Error(), "no template '"+name+"'") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if set, warnings := m.Templates.List(t.Context()); len(set.List()) != 4 || len(warnings) != 1 {
		t.Errorf("%d templates, warnings %v", len(set.List()), warnings)
	}
}

func TestBriefOfABrokenTemplateFallsBack(t *testing.T) {
	m := newMemory(t, "")
	endless := strings.Replace(incident, "Severity: {{ severity }} of {{ thesis }}", "{% for i in range(100000000) %}x{% endfor %}", 1)
	writeTemplate(t, m, "incident.yaml", endless)
	n := note("the disk")
	n.Template = "incident"
	n.Draft.Checkpoint.Fields = map[string]any{"severity": "high"}
	s := saveNote(t, m, n)
	c, err := m.Store.Commits.Load(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := m.Templates.Brief(t.Context(), c, recall.BriefOptions{MaxChars: 2000})
	if err != nil || !strings.Contains(text, "## Conclusion") || !strings.Contains(text, "\nTemplate 'incident' could not be used: ") {
		t.Errorf("%q, %v", text, err)
	}
	must(t, os.Remove(filepath.Join(m.Stores.Home, "templates", "incident.yaml")))
	text, err = m.Templates.Brief(t.Context(), c, recall.BriefOptions{})
	if err != nil || !strings.Contains(text, "no template 'incident'") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestBuiltInTemplatesRender(t *testing.T) {
	m := newMemory(t, "")
	n := note("the disk")
	n.Draft.Checkpoint.Action.Goal = "decide"
	n.Draft.Checkpoint.KeyEvidence = []string{"smoke"}
	var names []string
	for _, tmpl := range template.Builtin() {
		names = append(names, tmpl.Name)
		c := n.Draft.Checkpoint.Clone()
		c.Template = tmpl.Name
		text, err := m.Templates.Brief(t.Context(), c, recall.BriefOptions{})
		if err != nil || !strings.Contains(text, "the disk") || strings.Contains(text, "could not be used") {
			t.Errorf("%s: %q, %v", tmpl.Name, text, err)
		}
	}
	if !slices.Contains(names, "decision") {
		t.Errorf("templates %q", names)
	}
}

func TestTemplatesAreAddedAndRemoved(t *testing.T) {
	for _, to := range []recall.TemplatePlace{{}, {Own: true}} {
		m := newMemory(t, "")
		if err := m.Templates.Remove(t.Context(), "incident", to); err == nil || !strings.Contains(err.Error(), "no template 'incident'") {
			t.Errorf("%s: removed what there is not: %v", to, err)
		}
		added, err := m.Templates.Add(t.Context(), []byte(incident), to)
		if err != nil || added.Name != "incident" {
			t.Fatalf("%s: %+v, %v", to, added, err)
		}
		set, warnings := m.Templates.List(t.Context())
		found, err := set.Lookup("incident")
		if err != nil || len(warnings) > 0 || found.Origin != added.Origin {
			t.Errorf("%s: %+v, %v, %v", to, found, err, warnings)
		}
		other := strings.Replace(incident, "What broke", "What fell over", 1)
		if _, err := m.Templates.Add(t.Context(), []byte(other), to); !errors.Is(err, gitstore.ErrExists) {
			t.Errorf("%s: replaced unasked: %v", to, err)
		}
		to.Replace = true
		if _, err := m.Templates.Add(t.Context(), []byte(other), to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		set, _ = m.Templates.List(t.Context())
		if found, err := set.Lookup("incident"); err != nil || found.Description != "What fell over" {
			t.Errorf("%s: %+v, %v", to, found, err)
		}
		if err := m.Templates.Remove(t.Context(), "incident", to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if set, _ := m.Templates.List(t.Context()); len(set.List()) != len(template.Builtin()) {
			t.Errorf("%s: it is still there", to)
		}
	}
}

func TestBadTemplatesAreNotAdded(t *testing.T) {
	m := newMemory(t, "")
	for name, text := range map[string]string{
		"no name":    "description: x\n",
		"no YAML":    "name: [",
		"a path":     "name: ../../x\n",
		"bad format": "name: x\nformat: '{% for %}'\n",
		"default":    "name: default\n",
	} {
		if _, err := m.Templates.Add(t.Context(), []byte(text), recall.TemplatePlace{}); err == nil {
			t.Errorf("%s was added", name)
		}
	}
	for _, name := range []string{"../x", "", "a/b"} {
		if err := m.Templates.Remove(t.Context(), name, recall.TemplatePlace{Own: true}); !errors.Is(err, gitstore.ErrName) {
			t.Errorf("remove '%s': %v", name, err)
		}
	}
}
