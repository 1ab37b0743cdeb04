package digest

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
)

const three = "one\ntwo\nthree\n"

// blobOf asks git for the id of a file.
func blobOf(t *testing.T, content, format string) string {
	t.Helper()
	c := exec.Command("git", "hash-object", "--stdin")
	c.Dir = t.TempDir()
	c.Env = storetest.Env(c.Dir)
	made := exec.Command("git", "-C", c.Dir, "init", "-q", "--object-format="+format)
	made.Env = c.Env
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.Stdin = strings.NewReader(content)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestBlobIsGits(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		d := New(Options{SHA256: format == "sha256"})
		for _, s := range []string{"", three, "\x00é"} {
			if got, want := d.blob(s), blobOf(t, s, format); got != want {
				t.Errorf("%s of %q is %s, want %s", format, s, got, want)
			}
		}
	}
}

func edit(was, old, now string, hunks ...any) map[string]any {
	return map[string]any{"originalFile": was, "oldString": old, "newString": now, "structuredPatch": hunks}
}

func patch(from, was, to, now int, lines ...string) any {
	return map[string]any{"oldStart": from, "oldLines": was, "newStart": to, "newLines": now, "lines": lines}
}

func TestFilesOfOneSession(t *testing.T) {
	id := func(s string) string { return New(Options{}).blob(s) }
	at := map[string]any{"file_path": shop + "/a.go"}
	for name, tt := range map[string]struct {
		do   func(s *session)
		want files.File
	}{
		"read whole": {func(s *session) { s.read("a.go", 1, 4, 4, three) },
			files.File{Reads: 1, Whole: true, Blob: id(three), Count: 4}},
		"read in parts": {func(s *session) {
			s.read("a.go", 1, 2, 9, "one\ntwo")
			s.read("a.go", 3, 1, 9, "three")
			s.read("a.go", 8, 2, 9, "x\n")
		},
			files.File{Reads: 3, Lines: [][2]int{{1, 3}, {8, 8}}, Count: 9}},
		"read behind the end": {func(s *session) { s.read("a.go", 9, 1, 9, "\\n") },
			files.File{Reads: 1, Lines: [][2]int{{9, 9}}, Count: 9}},
		"read without a note": {func(s *session) {
			s.call("Read", map[string]any{"file_path": "a.go", "offset": 5, "limit": 10}, "", nil)
			s.call("Read", map[string]any{"file_path": "a.go", "offset": 50}, "", nil)
		}, files.File{Reads: 2, Lines: [][2]int{{5, 14}}}},
		"numbered text": {func(s *session) {
			id := s.begin("Read", at)
			s.record("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": "     1\tone\n     2\ttwo\n     3\t"}}, nil)
		}, files.File{Reads: 1, Lines: [][2]int{{1, 2}}}},
		"read of what failed": {func(s *session) { s.call("Read", at, "File does not exist.", "Error: File does not exist.") }, files.File{}},
		"unchanged": {func(s *session) {
			s.read("a.go", 1, 4, 4, three)
			s.call("Read", at, "", map[string]any{"type": "file_unchanged", "file": map[string]any{"filePath": shop + "/a.go"}})
		}, files.File{Reads: 2, Whole: true, Blob: id(three), Count: 4}},
		"changed by somebody": {func(s *session) { s.read("a.go", 1, 4, 4, three); s.read("a.go", 2, 1, 5, "two") },
			files.File{Reads: 2, Lines: [][2]int{{2, 2}}, Count: 5}},
		"written": {func(s *session) {
			s.call("Write", at, "", map[string]any{"content": three, "structuredPatch": []any{}})
		},
			files.File{Changes: 1, Blob: id(three)}},
		"edited": {func(s *session) {
			s.read("a.go", 3, 2, 9, "x\ny")
			s.call("Edit", at, "", edit(three, "two", "2\n2", patch(1, 3, 1, 4, " one", "-two", "+2", "+2", " three")))
		}, files.File{Reads: 1, Changes: 1, Lines: [][2]int{{2, 5}}, Blob: id("one\n2\n2\nthree\n")}},
		"edited everywhere": {func(s *session) {
			n := edit("a\na\n", "a", "b")
			n["replaceAll"] = true
			s.call("Edit", at, "", n)
		}, files.File{Changes: 1, Blob: id("b\nb\n")}},
		"edited by a person too": {func(s *session) {
			n := edit(three, "two", "2")
			n["userModified"] = true
			s.call("Edit", at, "", n)
		}, files.File{Changes: 1}},
		"edit denied":            {func(s *session) { s.call("Edit", at, "Claude requested permissions", nil) }, files.File{}},
		"edit without an answer": {func(s *session) { s.begin("Edit", at) }, files.File{}},
		"several edits at once":  {func(s *session) { s.call("MultiEdit", at, "", nil) }, files.File{Changes: 1}},
		"notebook":               {func(s *session) { s.call("NotebookEdit", map[string]any{"notebook_path": shop + "/a.go"}, "", nil) }, files.File{Changes: 1}},
		"shell": {func(s *session) { s.bash("sed -n 2,3p a.go && echo x >> a.go && git show HEAD:a.go", "", "x") },
			files.File{Reads: 1, Changes: 1, Seen: 1}},
		"grep": {func(s *session) { s.call("Grep", map[string]any{"pattern": "x", "path": shop + "/a.go"}, "", nil) }, files.File{Reads: 1}},
	} {
		s := &session{t: t}
		tt.do(s)
		if tt.want.Reads+tt.want.Changes > 0 {
			tt.want.Path = "a.go"
		}
		if d := cmp.Diff(tt.want, file(again(t, s.digest(Options{Root: shop})), "a.go")); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestListsOfFiles(t *testing.T) {
	s := &session{t: t}
	s.read("b.go", 1, 4, 4, three)
	s.read("a.go", 5, 2, 90, "x\ny")
	s.read("a.go", 50, 1, 90, "x")
	s.bash("git show HEAD:old.go; cat ../other/secret.txt; grep -rn x src; tail z.go", "", "x")
	s.call("Write", map[string]any{"file_path": shop + "/new.go"}, "", nil)
	s.call("Write", map[string]any{"file_path": shop + "/.git/hooks/pre-commit"}, "", nil)
	d := s.digest(Options{Root: shop})
	if got, want := d.FilesExplored(), []string{"a.go", "b.go", "old.go", "z.go"}; !slices.Equal(got, want) {
		t.Errorf("explored %q", got)
	}
	if got := d.FilesChanged(); !slices.Equal(got, []string{"new.go"}) {
		t.Errorf("changed %q", got)
	}
	want := []sage.CodeRef{
		{File: "new.go", Relevance: "context"},
		{File: "a.go", Lines: [2]int{5, 6}, Relevance: "context"}, {File: "a.go", Lines: [2]int{50, 50}, Relevance: "context"},
		{File: "b.go", Blob: d.blob(three), Relevance: "context"},
	}
	if diff := cmp.Diff(want, d.CodeRefs()); diff != "" {
		t.Error(diff)
	}
	if err := validate.Checkpoint((&sage.Checkpoint{CodeRefs: d.CodeRefs()})); err != nil {
		t.Error(err)
	}
	if d.Outside != 1 || strings.Contains(fmt.Sprint(d.Files), "secret.txt") {
		t.Errorf("outside %d, %v", d.Outside, d.Files)
	}
	all := s.digest(Options{Root: shop, Outside: true})
	if got := all.FilesExplored(); all.Outside != 1 || got[0] != "/home/ada/other/secret.txt" {
		t.Errorf("outside %d, %q", all.Outside, got)
	}
}

// Of too many files those go that were only seen, then those only read, the oldest
// first.
func TestFilesAreForgotten(t *testing.T) {
	s := &session{t: t}
	s.call("Write", map[string]any{"file_path": shop + "/changed.go"}, "", nil)
	s.bash("git show HEAD:seen.go", "", "x")
	for i := range maxFiles {
		s.bash(fmt.Sprintf("cat f%d.go", i), "", "x")
	}
	d := s.digest(Options{Root: shop})
	if len(d.Files) != maxFiles || file(d, "changed.go").Changes != 1 || file(d, "seen.go").Seen != 0 || file(d, "f0.go").Reads != 0 || file(d, "f1.go").Reads != 1 {
		t.Errorf("%d files: %v", len(d.Files), d.Files[:3])
	}
}
