//go:build unix

package gitstore_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// dying puts a git on PATH that does what script says when it is to move refs and
// has got its first byte of input, and the real git's work otherwise.
func dying(t *testing.T, w *storetest.World, script string) []string {
	t.Helper()
	return odd(t, "head -c 1 >/dev/null; "+script)
}

// odd puts a git on PATH that does what script says when it is to move refs; $git is
// the real one.
func odd(t *testing.T, script string) []string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "git")
	text := fmt.Sprintf("#!/bin/sh\ngit='%s'\ncase \"$*\" in *update-ref*) %s;; esac\nexec \"$git\" \"$@\"\n", real, script)
	if err := os.WriteFile(bin, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH")}
}

// saving lets a process save once.
func saving(t *testing.T, w *storetest.World, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Dir = w.Path("r")
	cmd.Env = append(append([]string{}, w.Env...), append(env, "STORETEST_NAME=p", "STORETEST_SAVES=1", "STORETEST_LINE=main")...)
	return cmd
}

// Case A4: a writer and its git are killed with the lock of a ref made. The next
// save removes it, says so, and succeeds.
func TestKilledWithLock(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	first := save(t, open(t, w, "r"), "one")
	lock := w.Path("r/.git/refs/sage/heads/main.lock")
	env := dying(t, w, ": > '"+lock+"'; kill -9 $PPID; kill -9 $$")
	if err := saving(t, w, env...).Run(); err == nil {
		t.Fatal("it was not killed")
	}
	if _, err := os.Lstat(lock); err != nil {
		t.Fatal(err)
	}
	got := save(t, open(t, w, "r"), "two")
	if got.Parents[0] != first.ID || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Text, lock) {
		t.Errorf("%+v", got)
	}
	if files, _ := os.ReadDir(w.Path("r/.git/sage/writers")); len(files) != 0 {
		t.Errorf("records: %v", files)
	}
}

// The same where only git is killed: who started it removes the lock.
func TestKilledGit(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	lock := w.Path("r/.git/refs/sage/heads/main.lock")
	if err := saving(t, w, dying(t, w, ": > '"+lock+"'; kill -9 $$")...).Run(); err == nil {
		t.Fatal("it was not killed")
	}
	if _, err := os.Lstat(lock); err == nil {
		t.Error("its lock is left")
	}
	if got := save(t, open(t, w, "r"), "two"); len(got.Warnings) != 0 {
		t.Errorf("%q", got.Warnings)
	}
}

// A git that did its work and was not let remove its lock says so in a warning, and
// nothing else tells. Who started it removes the lock; if that fails, too, the record
// stays, and the next save does.
func TestLockNotRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		keep string // makes the lock one that cannot be removed
		left bool
	}{
		"by git alone": {},
		"by anybody":   {keep: "mv '%s/writers.lock' '%s/was.lock'; mkdir '%s/writers.lock'; ", left: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			save(t, open(t, w, "r"), "one")
			sage, lock := w.Path("r/.git/sage"), w.Path("r/.git/refs/sage/heads/main.lock")
			keep := strings.ReplaceAll(c.keep, "%s", sage)
			env := odd(t, `"$git" "$@"; code=$?; `+keep+": > '"+lock+"'; echo \"warning: unable to unlink '"+lock+"': Permission denied\" >&2; exit $code")
			if out, err := saving(t, w, env...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if _, err := os.Lstat(lock); (err == nil) != c.left {
				t.Errorf("the lock: %v", err)
			}
			if c.left {
				if err := os.Remove(filepath.Join(sage, "writers.lock")); err != nil {
					t.Fatal(err)
				}
			}
			got := save(t, open(t, w, "r"), "two")
			if _, err := os.Lstat(lock); err == nil || (len(got.Warnings) == 1) != c.left {
				t.Errorf("the lock: %v; %q", err, got.Warnings)
			}
		})
	}
}

// The lock of a git that lives is nobody's to remove, also when who started it is
// dead. It is waited for, and then named with its path.
func TestLockOfTheLiving(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	lock, pid := w.Path("r/.git/refs/sage/heads/main.lock"), filepath.Join(t.TempDir(), "pid")
	cmd := saving(t, w, dying(t, w, ": > '"+lock+"'; echo $$ > '"+pid+"'; kill -9 $PPID; exec sleep 1000")...)
	if err := cmd.Run(); err == nil {
		t.Fatal("it was not killed")
	}
	b, err := os.ReadFile(pid)
	var child int
	if _, serr := fmt.Sscan(string(b), &child); err != nil || serr != nil {
		t.Fatal(err, serr)
	}
	defer syscall.Kill(child, syscall.SIGKILL)
	_, err = open(t, w, "r").Checkpoints.Save(ctx, thesis("two"))
	if err == nil || !strings.Contains(err.Error(), lock) || !strings.Contains(hint.Error(err), "fsck --repair") {
		t.Errorf("save: %v", err)
	}
	if _, err := os.Lstat(lock); err != nil {
		t.Errorf("the lock of a process that lives is gone: %v", err)
	}
}

// A writer that is stopped while it is its turn costs the others a second each, and
// nothing that it does when it goes on takes theirs away.
func TestStoppedWriter(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	at := filepath.Join(t.TempDir(), "at")
	if err := syscall.Mkfifo(at, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := saving(t, w, dying(t, w, "kill -STOP $PPID; echo > '"+at+"'")...) // git gets too little then, and fails
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(at); err != nil { // it is stopped now
		t.Fatal(err)
	}
	bounded, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var last gitstore.Saved
	for _, text := range []string{"two", "three"} {
		var err error
		if last, err = open(t, w, "r").Checkpoints.Save(bounded, thesis(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if tip := w.Git("r", "rev-parse", "refs/sage/heads/main"); tip != last.ID && w.Git("r", "merge-base", tip, last.ID) != last.ID {
		t.Errorf("%s is lost to %s", last.ID, tip)
	}
	save(t, open(t, w, "r"), "four")
}

// A process is killed when the first thought on a branch is saved, and before the branch
// is noted: the thought is there, on the same line, and the next save notes it.
func TestKilledBeforeNote(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "feature/x")
	mark := w.Path("mark")
	env := odd(t, "if [ -e '"+mark+"' ]; then kill -9 $PPID; kill -9 $$; fi; : > '"+mark+"'")
	cmd := saving(t, w, env...)
	cmd.Env = append(cmd.Env, "STORETEST_LINE=")
	if err := cmd.Run(); err == nil {
		t.Fatal("it was not killed")
	}
	if got := noteOf(w, "feature-x"); got != "" {
		t.Fatalf("noted: %s", got)
	}
	s := open(t, w, "r")
	if got := subjects(t, s, gitstore.Query{}); s.Session.CurrentLine() != "feature-x" || len(got) != 2 {
		t.Errorf("line %s: %v", s.Session.CurrentLine(), got)
	}
	if got := save(t, s, "two"); got.Line != "feature-x" || got.Forked {
		t.Errorf("%+v", got)
	}
	if got := noteOf(w, "feature-x"); !strings.HasPrefix(got, "branches:\n    - feature/x\nbegan: ") {
		t.Errorf("note: %q", got)
	}
}
