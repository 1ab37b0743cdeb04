package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSafeguardsAreInTheSource fails when the lines that are a safeguard have
// moved: whoever edits them learns it here, long before the checks are run.
func TestSafeguardsAreInTheSource(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	guards, err := readAll(filepath.Join(root, "testdata", "safeguards"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guards {
		for _, s := range g.swaps {
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.file)))
			if err != nil {
				t.Errorf("%s: %v", g.name, err)
			}
			if n := strings.Count(string(b), s.old); n != 1 || s.old == s.without {
				t.Errorf("%s: its lines are in %s %d times, want once, and something else in their place:\n%s", g.name, s.file, n, s.old)
			}
		}
	}
}
