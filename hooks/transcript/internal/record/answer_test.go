package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const conversation = `{"type":"user","message":{"role":"user","content":"Which store?"}}
{"type":"assistant","message":{"content":[{"type":"text","text":"We decided to use Redis."}]}}
not json
{"type":"user","message":{"content":[{"type":"text","text":"And for sessions?"}]}}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Let me look."},{"type":"tool_use","name":"Read"}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"text of a tool"}]}}
{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"of a helper"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Postgres it is."}]}}
`

func TestLastAnswer(t *testing.T) {
	dir := t.TempDir()
	// What lies before the end that is read does not count, nor does half a line.
	long := strings.Repeat(`{"type":"assistant","message":{"content":"old"}}`+"\n", maxTail/48)
	for name, text := range map[string]string{"s-1": conversation, "s-2": long + conversation} {
		file := filepath.Join(dir, name+".jsonl")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := LastAnswer(file); got != "Let me look.\n\nPostgres it is." || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestNoTranscript(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "x.jsonl")
	if err := os.WriteFile(file, []byte(`{"type":"user","message":{"content":"hi"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := LastAnswer(file); !errors.Is(err, ErrNone) {
		t.Errorf("%q, %v", text, err)
	}
}

// FuzzLastAnswer makes sure that no bytes end it, and that lines that can be read come
// out beside broken ones.
func FuzzLastAnswer(f *testing.F) {
	f.Add([]byte(conversation))
	f.Add([]byte("{\"type\":\"assistant\",\"message\":{\"content\":[[1]]}}\n{\x00\xff"))
	f.Add([]byte(`{"type":"assistant","message":7}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append(b, "\n"+`{"type":"assistant","message":{"content":"the end"}}`+"\n"...)
		got, err := lastAnswer(NewReader(bytes.NewReader(b)))
		if !strings.HasSuffix(got, "the end") || !utf8.ValidString(got) || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
}
