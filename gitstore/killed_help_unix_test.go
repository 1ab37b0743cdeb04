//go:build unix

package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// killedBefore has this process kill itself right before the n-th operation on a file that
// counts; 0, or no number, is never.
func killedBefore(n string, counts func(op fsx.Op, path string) bool) (restore func()) {
	kill, _ := strconv.Atoi(n)
	count := 0
	var mu sync.Mutex
	return fsx.Inject(func(op fsx.Op, path string) error {
		mu.Lock()
		defer mu.Unlock()
		if !counts(op, path) {
			return nil
		}
		if count++; count == kill {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	})
}

// status is how a process ends that is to be killed and was not.
func status(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// inCopy runs this program in a copy of r, as that which a variable of the environment
// names, to be killed before the n-th operation, and reports whether it was.
func inCopy(t *testing.T, w *storetest.World, as string, n int, env ...string) (dir string, killed bool) {
	t.Helper()
	dir = fmt.Sprint("copy-", n)
	if err := os.CopyFS(w.Path(dir), os.DirFS(w.Path("r"))); err != nil {
		t.Fatal(err)
	}
	exe, _ := os.Executable()
	cmd := exec.Command(exe)
	cmd.Dir = w.Path(dir)
	cmd.Env = append(append(slices.Clone(w.Env), as+"="+strconv.Itoa(n)), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("at %d: %v: %s", n, err, out)
	}
	return dir, err != nil
}
