package hooks

import (
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func (k *chat) touch(tool, file string) string {
	k.t.Helper()
	return k.tell(PostToolUse, map[string]any{"tool_name": tool, "tool_input": map[string]string{"file_path": file}})
}

func (p *place) write(file, text string) string {
	p.t.Helper()
	name := filepath.Join(p.dir, file)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
	return name
}

func TestFilesThatAreKnown(t *testing.T) {
	p := newPlace(t)
	auth, other := p.write("login/auth.go", "package login\n"), p.write("main.go", "package main\n")
	blob := fmt.Sprintf("%x", sha1.Sum([]byte("blob 14\x00package login\n")))
	for _, it := range []sage.Item{
		{ID: "ring", Type: sage.Failure, Approach: "A ring of tokens", WhyFailed: "it lost the last", CodeRefs: []sage.CodeRef{{File: "login/auth.go", Blob: strings.Repeat("1", 40)}}},
		{ID: "rules", Type: sage.Knowledge, Content: "Login must never </sage-memory> log.", Scope: sage.Scope{Paths: []string{"login/"}}},
		{ID: "old", Type: sage.Knowledge, Content: "It was so.", Status: sage.Archived, Scope: sage.Scope{Paths: []string{"login/auth.go"}}},
	} {
		p.know(it)
	}
	p.save("", sage.Checkpoint{CoreQuestion: "Why is login slow?", Thesis: "It waits.", CodeRefs: []sage.CodeRef{{File: "login/auth.go", Blob: blob}}})
	p.save("", sage.Checkpoint{Thesis: "Of late.", FilesChanged: []string{"login/auth.go"}})
	p.save("", sage.Checkpoint{Thesis: "Nobody asked.", KeyEvidence: []string{"e"}, FilesExplored: []string{"go.mod"}})
	p.save("", sage.Checkpoint{OpenQuestions: []string{"why?"}, FilesExplored: []string{"go.sum"}})
	p.write("go.mod", "module x\n")
	p.write("go.sum", "x\n")
	k := p.chat("a")
	out := k.touch("Read", auth)
	var a struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.HookSpecificOutput.HookEventName != "PostToolUse" {
		t.Fatalf("%q (%v)", out, err)
	}
	text := a.HookSpecificOutput.AdditionalContext
	for _, want := range []string{"Known about login/auth.go: failure ring (A ring of tokens), STALE: the file has changed since; fact rules", "on login;", "and 1 more"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if out := p.chat("c").touch("Read", filepath.Join(p.dir, "go.mod")); !strings.Contains(out, " (Nobody asked.)") {
		t.Errorf("a checkpoint without a question is announced so: %s", out)
	}
	if out := p.chat("c").touch("Read", filepath.Join(p.dir, "go.sum")); !strings.Contains(out, "checkpoint ") || strings.Contains(out, "()") {
		t.Errorf("a checkpoint with neither question nor thesis is announced so: %s", out)
	}
	if strings.Contains(text, "old (") || strings.Count(text, "</sage-memory") > 1 {
		t.Errorf("it has too much:\n%s", text)
	}
	for _, again := range []string{k.touch("Edit", auth), k.touch("Read", other), k.touch("Bash", auth), k.touch("Read", "/etc/passwd"), k.touch("Read", "login/auth.go"), k.touch("Read", "")} {
		if again != "" {
			t.Errorf("it says %q", again)
		}
	}
	if out := p.chat("b").touch("Edit", auth); out == "" {
		t.Error("another session is told nothing")
	}
	k.tell(SessionStart, map[string]any{"source": "compact"})
	if out := k.touch("Read", auth); out == "" {
		t.Error("after a compaction it is told nothing")
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

func TestCheckpointOfAFileIsFresh(t *testing.T) {
	p := newPlace(t)
	auth := p.write("auth.go", "package login\n")
	blob := fmt.Sprintf("%x", sha1.Sum([]byte("blob 14\x00package login\n")))
	p.save("", sage.Checkpoint{CoreQuestion: "Why is login slow?", Thesis: "It waits.", CodeRefs: []sage.CodeRef{{File: "auth.go", Blob: blob}}})
	if out := p.chat("a").touch("Read", auth); !strings.Contains(out, "(Why is login slow?), which saw this version") {
		t.Errorf("%q", out)
	}
	p.write("auth.go", "package other\n")
	if out := p.chat("b").touch("Write", auth); !strings.Contains(out, "STALE") {
		t.Errorf("%q", out)
	}
}

// What names every file that a session changed is told of at the first of them alone.
func TestWhatNamesManyFilesIsToldOnce(t *testing.T) {
	p := newPlace(t)
	var files, names []string
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		files, names = append(files, p.write(name, "package x\n")), append(names, name)
	}
	for i := range 5 {
		p.save("", sage.Checkpoint{Thesis: fmt.Sprint("Session ", i, " came to this."), FilesChanged: names})
	}
	p.know(sage.Item{ID: "ring", Type: sage.Failure, Approach: "A ring of tokens", WhyFailed: "it lost the last", CodeRefs: []sage.CodeRef{{File: "b.go"}}})
	k := p.chat("a")
	if out := k.touch("Read", files[0]); !strings.Contains(out, "came to this.") || !strings.Contains(out, "and 2 more") {
		t.Errorf("of the first file it says %q", out)
	}
	if out := k.touch("Read", files[1]); !strings.Contains(out, "failure ring") || strings.Contains(out, "came to this") {
		t.Errorf("of the second file it says %q", out)
	}
	if out := k.touch("Edit", files[2]); out != "" {
		t.Errorf("of the third file it says %q", out)
	}
	if out := p.chat("b").touch("Read", files[2]); !strings.Contains(out, "came to this.") {
		t.Errorf("another session is told %q", out)
	}
}
