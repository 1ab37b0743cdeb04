//go:build linux

package repo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// called starts a process of that name, which does nothing.
func called(t *testing.T, name string) (pid int, end func()) {
	t.Helper()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	if sleep, err = filepath.EvalSymlinks(sleep); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid, func() { _ = cmd.Process.Kill() }
}

// A gc is believed to be at work if its file is not 12 hours old, and a git that may have
// written it is there; of another machine nobody here can tell.
func TestWhoIsAGC(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	git, _ := called(t, "git")
	gc, _ := called(t, "git-gc")
	java, _ := called(t, "java")
	other, _ := called(t, "postgres")
	own, _ := called(t, "git-sage")
	over, end := called(t, "git")
	end()
	for { // it is not reaped: its id stands for nobody
		if _, _, ok := fsx.Process(over); !ok {
			break
		}
	}
	const hour = time.Hour
	file := filepath.Join(t.TempDir(), "gc.pid")
	for _, c := range []struct {
		what    string
		content string
		age     time.Duration
		want    bool
	}{
		{"a git", fmt.Sprint(git, " ", host), 0, true},
		{"a git by another of its names", fmt.Sprint(gc, " ", host, "\n"), 0, true},
		{"JGit", fmt.Sprint(java, " ", host), 0, true},
		{"no git", fmt.Sprint(other, " ", host), 0, false},
		{"git-sage", fmt.Sprint(own, " ", host), 0, false},
		{"a git that has ended and was not reaped", fmt.Sprint(over, " ", host), 0, false},
		{"a git that is younger than the file", fmt.Sprint(git, " ", host), hour, false},
		{"this machine's first process, of another boot", fmt.Sprint(1, " ", host), 11 * hour, false},
		{"another machine's", "4711 elsewhere", 0, true},
		{"another machine's, of today", "4711 elsewhere", 11 * hour, true},
		{"another machine's, of yesterday", "4711 elsewhere", 13 * hour, false},
		{"of tomorrow", fmt.Sprint(git, " ", host), -hour, true},
		{"nobody's", "0 " + host, 0, false},
		{"no number", "gc " + host, 0, false},
		{"empty", "", 0, false},
	} {
		if err := os.WriteFile(file, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-c.age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		if _, got := gcRuns(file); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
