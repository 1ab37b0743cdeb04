package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// The question of a fix has no word that only the fix knows.
func TestFixes(t *testing.T) {
	r := repository{t.TempDir(), storetest.New(t).Env}
	git := func(args ...string) string {
		t.Helper()
		out, err := r.git(t.Context(), append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if err != nil {
			t.Fatal(args, err)
		}
		return strings.TrimSpace(out)
	}
	commit := func(message string, files ...string) string {
		for _, f := range files {
			name, text, _ := strings.Cut(f, "=")
			if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", message)
		return git("rev-parse", "HEAD")
	}
	git("init", "-q")
	commit("Begin", "a.go=func parseInput() {}", "b.go=", "c.md=")
	parent := commit("Add nothing that is broken before", "new.go=")
	commit("Fix a crash of parseInput in a.go by safeInput\n\nAn empty text is read.\n\nSigned-off-by: a <a@example.com>", "a.go=func safeInput() {}", "a_test.go=x", "c.md=x")
	commit("Fix it", "b.go=more")
	commit("Document how to read the empty text", "b.go=again")
	got, err := r.fixes(t.Context())
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if f := got[0]; f.parent != parent || strings.Join(f.gold, " ") != "a.go" || strings.Join(strings.Fields(f.query), " ") != "Fix a crash of parseInput in by An empty text is read." {
		t.Errorf("%+v", f)
	}
}

func TestWithin(t *testing.T) {
	files := []string{"a", "b", "c"}
	if !within(files, []string{"c", "a"}, 3) || within(files, []string{"c", "a"}, 2) || within(files, []string{"x"}, 5) {
		t.Error("a file counts that is not among the first, or one does not that is")
	}
}
