package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What the program serves is what the sources give.
func TestBundleIsOfTheSources(t *testing.T) {
	folder := filepath.FromSlash("../../page")
	files, err := bundle(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"app.js", "file.js", "app.css", "preact-license.txt"} {
		kept, err := os.ReadFile(filepath.Join(folder, "web", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(files[name]) == 0 || !bytes.Equal(kept, files[name]) {
			t.Errorf("web/%s is not what ui gives: 'make page' bundles it", name)
		}
	}
}
