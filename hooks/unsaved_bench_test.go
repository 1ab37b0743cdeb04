package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
)

// long writes a conversation of so many bytes: questions, files that are read, and answers
// of some length in which every tenth concludes something.
func long(t testing.TB, k *chat, size int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(k.file), 0o700); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	code := strings.Repeat("\tsum += weights[i] * values[i] // of the shard\n", 40)
	prose := strings.Repeat("The scheduler hands each shard to a worker, which reads it from the disk and sums it up. Nothing of that is new. ", 8)
	for i := 0; b.Len() < size; i++ {
		id, path := fmt.Sprint("t", i), filepath.Join(k.dir, fmt.Sprintf("f%d.go", i%40))
		answer := fmt.Sprintf("Run %d. %s", i, prose)
		if i%10 == 0 {
			answer += fmt.Sprintf(" We decided to give stage %d a budget of %d retries, since the queue overflows otherwise.", i, i%7)
		}
		for n, r := range []map[string]any{
			{"type": "user", "message": map[string]any{"role": "user", "content": fmt.Sprintf("Why does stage %d of the pipeline fail at night?", i)}},
			{"type": "assistant", "message": map[string]any{"id": id, "model": "opus", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": "Read", "input": map[string]any{"file_path": path}}}}},
			{"type": "user", "message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": code}}},
				"toolUseResult": map[string]any{"type": "text", "file": map[string]any{"filePath": path, "content": code, "numLines": 41, "startLine": 1, "totalLines": 41}}},
			{"type": "assistant", "message": map[string]any{"id": id + "b", "model": "opus", "content": []any{map[string]any{"type": "text", "text": answer}}}},
		} {
			r["uuid"], r["cwd"], r["sessionId"], r["timestamp"] = fmt.Sprint(id, "-", n), k.dir, k.session, k.now
			if err := enc.Encode(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(k.file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkUnsaved(b *testing.B) {
	for _, mb := range []int{3, 12} {
		b.Run(fmt.Sprint(mb, " MB"), func(b *testing.B) {
			p := newPlace(b)
			k := p.chat("a")
			long(b, k, mb<<20)
			m, err := p.open(b.Context(), p.dir, "a")
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			for b.Loop() {
				r, _, err := autosave.ReadEarlier(b.Context(), m, sessions.Earlier{File: k.file, Session: k.session, Root: k.dir}, gitstore.Import{}, p.now)
				if err != nil || r.Checkpoint == nil {
					b.Fatal(r, err)
				}
			}
		})
	}
}
