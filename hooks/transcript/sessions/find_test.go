package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
)

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for _, session := range []string{"", "s-1", "../../etc/passwd", "*"} {
		if file, err := Find(folder, session); !errors.Is(err, record.ErrNone) {
			t.Errorf("Find(%q) = %q, %v", session, file, err)
		}
	}
	want := filepath.Join(folder, "projects", "-home-ada-shop", "s-1.jsonl")
	put(t, want, "x")
	if file, err := Find(folder, "s-1"); file != want || err != nil {
		t.Errorf("%q, %v", file, err)
	}
}

func TestSubagents(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s-1.jsonl")
	if list, err := Subagents(file); list != nil || err != nil {
		t.Errorf("%q, %v", list, err)
	}
	folder := filepath.Join(dir, "s-1", "subagents")
	if err := os.MkdirAll(filepath.Join(folder, "agent-d.jsonl"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"agent-b.jsonl", "agent-a.jsonl", "agent-a.meta.json", "other.jsonl"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, "agent-c.jsonl")); err != nil {
		t.Log(err)
	}
	list, err := Subagents(file)
	if err != nil || len(list) != 2 || filepath.Base(list[0]) != "agent-a.jsonl" || filepath.Base(list[1]) != "agent-b.jsonl" {
		t.Errorf("%q, %v", list, err)
	}
}
