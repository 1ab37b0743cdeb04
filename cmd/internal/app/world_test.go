package app

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestSessionIn(t *testing.T) {
	for _, tt := range []struct {
		env            []string
		session, agent string
	}{
		{nil, "", ""},
		{[]string{"CLAUDECODE=1"}, "", ""},
		{[]string{"SAGE_SESSION=a"}, "a", ""},
		{[]string{"SAGE_SESSION=a", "SAGE_SESSION=b"}, "b", ""},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "CLAUDECODE=1"}, "c", "claude-code"},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "SAGE_SESSION=a", "CLAUDECODE=1"}, "a", "claude-code"},
	} {
		if session, agent := sessionIn(tt.env); session != tt.session || agent != tt.agent {
			t.Errorf("%q: %q %q", tt.env, session, agent)
		}
	}
}

func TestHomeIn(t *testing.T) {
	if got := homeIn([]string{"HOME=/h", "SAGE_HOME=/s"}); got != "/s" {
		t.Error(got)
	}
	if got := homeIn([]string{"HOME=/h"}); got != filepath.Join("/h", ".sage") {
		t.Error(got)
	}
}

// TestOnPath: without /proc, the program is that which the shell would run.
func TestOnPath(t *testing.T) {
	name := "git-sage"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := t.TempDir()
	program := filepath.Join(dir, name)
	for _, file := range []string{program, filepath.Join(dir, "git")} {
		if err := os.WriteFile(file, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Chdir(dir)
	for called, want := range map[string]string{
		name: program, "." + string(filepath.Separator) + name: program, program: program,
		"git": "", filepath.Join(dir, "git"): "", filepath.Join(dir, "none", name): "",
	} {
		if got := onPath(called); got != want {
			t.Errorf("called as '%s': '%s', want '%s'", called, got, want)
		}
	}
}
