// Package samples has the transcripts of real clients on which the packages beside it are
// tested.
package samples

import (
	"os"
	"path/filepath"
	"testing"
)

// All returns the transcripts in testdata of package transcript, by name. It is called from
// the folder of a package beside this one.
func All(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = b
	}
	return out
}
