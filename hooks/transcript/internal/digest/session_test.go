package digest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
)

// A session writes a transcript as the client does.
type session struct {
	t *testing.T
	b strings.Builder
	n int
}

func (s *session) record(kind string, content any, more map[string]any) {
	s.t.Helper()
	s.n++
	rec := map[string]any{
		"type": kind, "uuid": fmt.Sprintf("u-%d", s.n), "cwd": shop, "sessionId": "s-1", "gitBranch": "main", "version": "2.1.329",
		"timestamp": "2026-11-22T10:00:00.000Z",
		"message":   map[string]any{"id": fmt.Sprintf("m-%d", s.n), "model": "opus", "content": content},
	}
	for k, v := range more {
		rec[k] = v
	}
	b, err := json.Marshal(rec)
	if err != nil {
		s.t.Fatal(err)
	}
	s.b.Write(append(b, '\n'))
}

func (s *session) person(text string) { s.t.Helper(); s.record("user", text, nil) }

func (s *session) agent(text string) {
	s.t.Helper()
	s.record("assistant", []any{map[string]any{"type": "text", "text": text}}, nil)
}

// call calls a tool and gives its answer: failed is an error's text, note the client's.
func (s *session) call(tool string, input map[string]any, failed string, note any) {
	s.t.Helper()
	id := s.begin(tool, input)
	s.answer(id, failed, note)
}

func (s *session) begin(tool string, input map[string]any) (id string) {
	s.t.Helper()
	id = fmt.Sprintf("toolu_%d", s.n)
	s.record("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}, nil)
	return id
}

func (s *session) answer(id, failed string, note any) {
	s.t.Helper()
	content := failed
	if m, ok := note.(map[string]any); ok && m["stdout"] != nil {
		content = m["stdout"].(string)
	}
	more := map[string]any{}
	if note != nil {
		more["toolUseResult"] = note
	}
	s.record("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed != ""}}, more)
}

func (s *session) bash(command, failed, printed string) {
	s.t.Helper()
	s.call("Bash", map[string]any{"command": command}, failed, map[string]any{"stdout": printed})
}

func (s *session) read(file string, from, shown, all int, content string) {
	s.t.Helper()
	s.call("Read", map[string]any{"file_path": shop + "/" + file}, "", map[string]any{
		"type": "text", "file": map[string]any{"content": content, "startLine": from, "numLines": shown, "totalLines": all},
	})
}

func (s *session) digest(o Options) *Digest {
	s.t.Helper()
	return digest(s.t, []byte(s.b.String()), o)
}

// file is what the digest knows of one.
func file(d *Digest, path string) files.File {
	for _, f := range d.Files {
		if f.Path == path {
			f.Offset = 0
			return f
		}
	}
	return files.File{}
}
