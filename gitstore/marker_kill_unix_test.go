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

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// deliverer is a process that gets the marker, if nobody else does, and hands it over
// by printing its reason. It is killed before the n-th operation on a file from the
// claim on; 0 is never, and "held" waits behind the claim.
func deliverer(n string) int {
	kill, _ := strconv.Atoi(n)
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ(), Session: os.Getenv("STORETEST_SESSION")})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if n != "held" {
		_, _ = os.Stdin.Read(make([]byte, 1)) // all start at once
	}
	count := 0
	defer fsx.Inject(func(fsx.Op, string) error {
		if count++; count == kill {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	})()
	c, err := s.ClaimMarker()
	if c != nil && err == nil {
		fmt.Println(c.Reason)
		if n == "held" {
			_, _ = os.Stdin.Read(make([]byte, 1))
		}
		err = c.Delivered()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// delivering lets a process get the marker, and returns what it handed over.
func delivering(t *testing.T, w *storetest.World, kill int, start *os.File) (handed string, killed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Stdin = w.Path("r"), start
	cmd.Env = append(slices.Clone(w.Env), "STORETEST_MARKER="+strconv.Itoa(kill), "STORETEST_SESSION=one")
	out, err := cmd.Output()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Errorf("killed at %d: %v: %s", kill, err, err.(*exec.ExitError).Stderr)
	}
	return string(out), err != nil
}

// Of processes that start at once one gets the marker.
func TestMarkerRaceOfProcesses(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	for round := range 5 {
		mark(t, s, fmt.Sprint("round ", round))
		r, start, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var got strings.Builder
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				handed, _ := delivering(t, w, 0, r)
				mu.Lock()
				defer mu.Unlock()
				got.WriteString(handed)
			})
		}
		start.Close()
		wg.Wait()
		r.Close()
		if got.String() != fmt.Sprintf("round %d\n", round) {
			t.Errorf("handed over %q", got.String())
		}
	}
}

// Wherever a process is killed: what it has not handed over the next one gets, once. What
// it has handed over comes once more only if it was killed before the file was emptied,
// which is what it does next.
func TestMarkerKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	save(t, s, "a thesis")
	again := 0
	for k := 1; ; k++ {
		mark(t, s, "lost")
		handed, killed := delivering(t, w, k, nil)
		got := claimed(t, open(t, w, "r", session("one")))
		switch {
		case handed == "" && got != "lost":
			t.Errorf("killed at %d: it is lost", k)
		case handed != "" && got != "":
			again++
		}
		if got := claimed(t, s); got != "" {
			t.Errorf("killed at %d: delivered twice", k)
		}
		if !killed {
			if k < 8 {
				t.Errorf("killed %d times only", k-1)
			}
			break
		}
	}
	if again > 1 {
		t.Errorf("handed over twice behind %d kills", again)
	}
}

// A process that waits while it has the marker keeps it: nobody else brings back what
// it may be about to.
func TestMarkerOfTheLiving(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	mark(t, s, "held")
	r, start, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer start.Close()
	exe, _ := os.Executable()
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Stdin = w.Path("r"), r
	cmd.Env = append(slices.Clone(w.Env), "STORETEST_MARKER=held", "STORETEST_SESSION=one")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 5)
	if _, err := out.Read(b); err != nil || string(b) != "held\n" {
		t.Fatal(string(b), err)
	}
	if got := claimed(t, s); got != "" {
		t.Errorf("while another process has it: %q", got)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if got := claimed(t, s); got != "held" {
		t.Errorf("behind the kill: %q", got)
	}
}
