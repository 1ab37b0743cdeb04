package parse

import (
	"strings"
	"testing"
)

// TestWhatIsNoDoc reads what stands before a definition and says nothing of it.
func TestWhatIsNoDoc(t *testing.T) {
	p := newParser(t)
	for _, c := range []struct{ language, source, doc string }{
		{"bash", "#!/bin/sh\nfirst() {\n  echo a\n}\n", ""},
		{"bash", "#!/bin/sh\n\n# Says a.\nfirst() {\n  echo a\n}\n", "# Says a."},
		{"python", "#!/usr/bin/env python3\n# Says a.\n@wrap\ndef first():\n    pass\n", "# Says a."},
		{"fish", "#!/usr/bin/fish\nfunction first\nend\n", ""},
		{"go", "package p\n\n//go:nosplit\nfunc First() {}\n", ""},
		{"go", "package p\n\n// First is first.\n//\n//go:nosplit\n//go:linkname First runtime.first\nfunc First() {}\n", "// First is first."},
		{"go", "package p\n\n// First: see\n//\n// http://go.dev\nvar First = 1\n", "// First: see\n//\n// http://go.dev"},
	} {
		f, err := p.Parse(t.Context(), c.language, []byte(c.source))
		if err != nil || len(f.Definitions) != 1 {
			t.Fatalf("%s%+v, %v", c.source, f.Definitions, err)
		}
		checkFile(t, f, []byte(c.source))
		d := f.Definitions[0]
		if got := c.source[d.Doc.Start:d.Doc.End]; got != c.doc {
			t.Errorf("%shas the comment %q, want %q", c.source, got, c.doc)
		}
		if whole := c.source[d.Start:d.End]; strings.Contains(whole, "#!") || !strings.Contains(whole, c.doc) {
			t.Errorf("%sis %q", c.source, whole)
		}
	}
}

// TestLatin1 reads sources that are no UTF-8: names are whole, and offsets those of the bytes
// that there are.
func TestLatin1(t *testing.T) {
	p := newParser(t)
	for language, source := range map[string]string{
		"c":      "/* R\xe9sum\xe9. */\nint caf\xe9(int x) {\n  return caf\xe9(x);\n}\n",
		"go":     "package p\n\n// R\xe9sum\xe9.\nfunc caf\xe9(x int) {\n\tcaf\xe9(x)\n}\n",
		"python": "# R\xe9sum\xe9.\ndef caf\xe9(x):\n    return caf\xe9(x)\n",
		"lua":    "-- R\xe9sum\xe9.\nfunction caf\xe9(x)\n  return caf\xe9(x)\nend\n",
		"julia":  "# R\xe9sum\xe9.\nfunction caf\xe9(x)\n  return caf\xe9(x)\nend\n",
	} {
		f, err := p.Parse(t.Context(), language, []byte(source))
		if err != nil || len(f.Definitions) != 1 || len(f.References) != 1 {
			t.Fatalf("%s: %+v, %v", language, f, err)
		}
		checkFile(t, f, []byte(source))
		d := f.Definitions[0]
		if d.Name != "café" || f.References[0].Name != "café" {
			t.Errorf("%s: %q calls %q", language, d.Name, f.References[0].Name)
		}
		if doc := source[d.Doc.Start:d.Doc.End]; !strings.Contains(doc, "R\xe9sum\xe9.") || len(doc) > 13 {
			t.Errorf("%s: comment %q", language, doc)
		}
		if body := source[d.Body.Start:d.Body.End]; strings.Count(body, "caf\xe9(x)") != 1 || d.End != len(source)-1 {
			t.Errorf("%s: ends at %d, body %q", language, d.End, body)
		}
	}
}
