// Package apptest makes worlds for tests of commands.
package apptest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
)

// New is the world of a command in root/repo, with root/home as its home.
func New(root string) *app.App {
	home := filepath.Join(root, "home")
	return &app.App{Terminal: term.Terminal{
		In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer),
		Dir: filepath.Join(root, "repo"),
		Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
		Env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_CEILING_DIRECTORIES=" + root, "TZ=UTC", "EDITOR=true",
		},
	}}
}

// EarlierSessions makes a repository with so many sessions of before.
func EarlierSessions(t *testing.T, n int) *app.App {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := New(root)
	a.Env = append(a.Env, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	initial := exec.Command("git", "init", "-q", a.Dir)
	initial.Env = a.Env
	if out, err := initial.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	folder := filepath.Join(a.Transcripts(), regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(a.Dir, "-"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		text := fmt.Sprintf(`{"type":"user","uuid":"u%[1]d","cwd":"%[2]s","timestamp":"2026-03-0%[1]dT10:00:00Z","message":{"role":"user","content":"Which port does service %[1]d listen on?"}}
{"type":"assistant","uuid":"a%[1]d","cwd":"%[2]s","timestamp":"2026-03-0%[1]dT10:00:01Z","message":{"id":"m%[1]d","content":[{"type":"text","text":"We decided that service %[1]d listens on port 844%[1]d."}]}}
`, i+1, a.Dir)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("s%d.jsonl", i+1)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a
}
