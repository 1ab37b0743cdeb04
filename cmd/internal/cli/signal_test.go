//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A signaller sends a signal to this process when it is read, and then never
// answers, like a terminal at which nobody types.
type signaller struct {
	signal syscall.Signal
	done   chan struct{}
}

func (s signaller) Read([]byte) (int, error) {
	syscall.Kill(syscall.Getpid(), s.signal)
	<-s.done
	return 0, io.EOF
}

// Case A15.
func TestSignalsEndWithTheirStatus(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGQUIT: 131} {
		a := apptest.New(t.TempDir())
		in := signaller{signal, make(chan struct{})}
		a.In = in
		if got := run(a, []string{"redact", "test", "-"}); got != want {
			t.Errorf("%v: status %d, want %d", signal, got, want)
		}
		close(in.done)
	}
}

// Ctrl-C at a terminal reaches the editor and git-sage alike; it is meant for
// the editor, and what is written there is saved.
func TestInterruptIsTheEditors(t *testing.T) {
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt)
	defer signal.Stop(sigs)
	go func() {
		<-sigs
		os.WriteFile(seen, nil, 0o600)
	}()
	made := exec.Command("git", "init", "-q", dir)
	made.Env = storetest.Env(dir)
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a, out := apptest.New(dir), &bytes.Buffer{}
	a.Dir, a.Out = dir, out
	editor := fmt.Sprintf(`f() { kill -INT %d; until [ -e '%s' ]; do :; done; echo 'thesis: written' >"$1"; }; f`, os.Getpid(), seen)
	a.Env = append(storetest.Env(t.TempDir()), "GIT_EDITOR="+editor, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org")
	if got := run(a, []string{"checkpoint", "save", "-e"}); got != 0 || !strings.Contains(out.String(), "] written") {
		t.Errorf("status %d, %q", got, out)
	}
}
