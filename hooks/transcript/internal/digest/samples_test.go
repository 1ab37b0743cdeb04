package digest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// samples are the transcripts in testdata of the package above.
func samples(t testing.TB) map[string][]byte {
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

func line(kind, text string) string {
	return fmt.Sprintf(`{"uuid":"%s-%s","type":%q,"message":{"content":%q}}`, kind, text, kind, text) + "\n"
}
