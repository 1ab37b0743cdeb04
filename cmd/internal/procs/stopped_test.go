//go:build linux

package procs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A halt is a git on PATH that stops for good once it holds its locks on refs: the
// real git has prepared its transaction then. It tells its process id at 'at', and
// goes on when something is written to 'go'. What it is fed ends in 'commit', which
// it holds back.
type halt struct{ dir string }

const halting = `#!/bin/sh
case "$*" in *update-ref*) ;; *) exec REAL "$@";; esac
cat > DIR/moves
mkfifo DIR/in
REAL "$@" <DIR/in >DIR/out &
git=$!
exec 4>DIR/in
head -c -7 DIR/moves >&4
until grep -q 'prepare: ok' DIR/out; do kill -0 $git || exit 1; done
kill -STOP $git
echo $git >DIR/at
read -r _ <DIR/go
kill -CONT $git
printf 'commit\0' >&4
exec 4>&-
wait $git
`

func halts(t *testing.T) (h halt, env string) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	h = halt{t.TempDir()}
	for _, name := range []string{"at", "go"} {
		if err := syscall.Mkfifo(filepath.Join(h.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := strings.NewReplacer("REAL", real, "DIR", h.dir).Replace(halting)
	if err := os.WriteFile(filepath.Join(h.dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return h, "PATH=" + h.dir + ":" + os.Getenv("PATH")
}

// reached waits until git is stopped, and returns its process id.
func (h halt) reached(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(h.dir, "at"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// tell writes a line to a pipe, if somebody is there to read it.
func (h halt) tell(pipe, text string) {
	f, err := os.OpenFile(filepath.Join(h.dir, pipe), os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		_, _ = f.WriteString(text + "\n")
		_ = f.Close()
	}
}

// A save is stopped while its git holds the lock of a line: git alone, or git-sage
// with it. Others go on with other lines, and on that line are told in one line
// what is in the way; nobody takes a lock of the living. When it goes on, what was
// acknowledged is all there, its own included.
func TestStoppedHoldingALock(t *testing.T) {
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprintf("git-sage too: %v", both), func(t *testing.T) {
			t.Parallel()
			p := world(t, built)
			ids := []string{p.saved("one", "--line", "main")}
			h, env := halts(t)
			q := p.with(env)
			slow := q.cmd("checkpoint", "save", "--json", "-m", "two", "--line", "main")
			var out, errs strings.Builder
			slow.Stdout, slow.Stderr = &out, &errs
			if err := slow.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				ended <- slow.Wait()
				h.tell("at", "0") // if it never came there
			}()
			git := h.reached(t)
			if both {
				_ = slow.Process.Signal(syscall.SIGSTOP)
			}
			lock := p.w.Path("r/.git/refs/sage/heads/main.lock")
			if _, err := os.Lstat(lock); err != nil {
				t.Fatalf("git %d holds no lock: %v", git, err)
			}
			ids = append(ids, beside(t, p, lock)...)
			if both {
				_ = slow.Process.Signal(syscall.SIGCONT)
			}
			h.tell("go", "")
			err := <-ended
			switch id, ferr := field(out.String(), "id"); {
			case err == nil && ferr == nil:
				ids = append(ids, id)
			case stopped == 0: // it has waited less than a minute, which is its limit
				t.Errorf("the save that was stopped: %v: %s", err, errs.String())
			}
			ids = append(ids, p.saved("three", "--line", "main"))
			p.holds(ids...)
			if _, err := os.Lstat(lock); err == nil {
				t.Error("its lock is left")
			}
		})
	}
}

// beside is what others do as long as it is stopped.
func beside(t *testing.T, p *prog, lock string) (ids []string) {
	t.Helper()
	began, slowest := time.Now(), time.Duration(0)
	for n := 0; n < 2 || time.Since(began) < stopped; n++ {
		at := time.Now()
		ids = append(ids, p.saved(fmt.Sprint("beside ", n), "--line", fmt.Sprint("other-", n%3)))
		slowest = max(slowest, time.Since(at))
	}
	t.Logf("%d saves beside it, the slowest %v", len(ids), slowest.Round(time.Millisecond))
	if _, err := os.Lstat(lock); err != nil {
		return ids // its git-sage has given up after a minute
	}
	_, err := p.save("on the same line", "--line", "main")
	oneLine(t, err, lock)
	if list := p.run("log", "--line", "main"); !strings.Contains(list, "one") {
		t.Errorf("the list is %q", list)
	}
	return ids
}
