package recall_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSignals(t *testing.T) {
	m := newMemory(t, "")
	for name, text := range map[string]string{
		"go.mod":         "// a comment\nmodule example.org/you/rocket/v2\n\ngo 1.26\n",
		"package.json":   `{"version": "1", "name": "@you/rocket-web"}`,
		"pyproject.toml": "[build-system]\nname = 'no'\n[project]\nname = \"rocket-py\" # ours\n",
		"Cargo.toml":     "[dependencies]\nname = \"no\"\n\n[package]\nname='rocket-rs'\n",
	} {
		must(t, os.WriteFile(filepath.Join(m.Store.Repo.Top(), name), []byte(text), 0o666))
	}
	if got, want := m.Project.Signals(), []string{"project", "rocket", "@you/rocket-web", "rocket-py", "rocket-rs"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

func TestSignalsOfOddFiles(t *testing.T) {
	m := newMemory(t, "")
	top := m.Store.Repo.Top()
	for name, text := range map[string]string{
		"go.mod":         "module",
		"package.json":   `{"name": 7`,
		"pyproject.toml": "[project]\nname = rocket\n",
	} {
		must(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o666))
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(top, "Cargo.toml")); err != nil {
		t.Skip(err)
	}
	if got, want := m.Project.Signals(), []string{"project"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}
