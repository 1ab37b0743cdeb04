package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCheckSeesOtherSystems checks a module that fits on linux alone: elsewhere a name, a
// type in a test, a body or an import is missing.
func TestCheckSeesOtherSystems(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.org/m\n\ngo 1.26\n",
		"m.go":              "package m\n\nfunc F() int { return here() }\n",
		"m_linux.go":        "package m\n\nfunc here() int { return 1 }\n",
		"m_windows.go":      "package m\n\nfunc here() int\n",
		"m_freebsd.go":      "package m\n\nimport \"example.org/m/n\"\n\nfunc here() int { return n.N }\n",
		"m_darwin.go":       "package m\n\nfunc here() int { return 2 }\n",
		"m_darwin_test.go":  "package m\n\nvar _ string = here()\n",
		"x_test.go":         "package m_test\n\nimport \"example.org/m\"\n\nvar _ int = m.F()\n",
		"n/n_linux.go":      "package n\n\nconst N = 1\n",
		"wide/wide.go":      "package wide\n\nconst W = N\n",
		"wide/wide_386.go":  "package wide\n\nconst N int = 1 << 40\n",
		"wide/wide_rest.go": "//go:build !386\n\npackage wide\n\nconst N int = 1 << 40\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src := newSource()
	for system, want := range map[string]string{
		"linux/amd64":   "",
		"linux/arm64":   "",
		"linux/386":     "overflows",
		"windows/amd64": "here has no body",
		"darwin/arm64":  "cannot use here()",
		"openbsd/amd64": "undefined: here",
		"freebsd/amd64": "go list in",
		"nothing":       "no such system",
	} {
		wrong := src.check(system, []string{dir})
		if want == "" && wrong != nil || want != "" && !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("%s: want '%s', got %q", system, want, wrong)
		}
	}
}
