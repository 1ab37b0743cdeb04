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
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// deliverer is a process that gets the marker, if nobody else does, and hands it over
// by printing its reason. It is killed before the n-th operation on a file from the
// claim on; 0 is never, and "held" waits behind the claim.
func deliverer(n string) int {
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ(), Session: os.Getenv("STORETEST_SESSION")})
	if err != nil {
		return status(err)
	}
	if n != "held" {
		_, _ = os.Stdin.Read(make([]byte, 1)) // all start at once
	}
	defer killedBefore(n, func(fsx.Op, string) bool { return true })()
	if text := os.Getenv("STORETEST_SUMMARY"); text != "" {
		return status(s.Session.AddSummary(text))
	}
	c, err := s.Session.ClaimMarker()
	if c != nil && err == nil {
		fmt.Println(c.Reason)
		if n == "held" {
			_, _ = os.Stdin.Read(make([]byte, 1))
		}
		err = c.Delivered()
	}
	return status(err)
}

// delivering lets a process get the marker, and returns what it handed over.
func delivering(t *testing.T, w *storetest.World, kill int, start *os.File, env ...string) (handed string, killed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Stdin = w.Path("r"), start
	cmd.Env = append(slices.Clone(w.Env), "STORETEST_MARKER="+strconv.Itoa(kill), "STORETEST_SESSION=one")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Errorf("killed at %d: %v: %s", kill, err, err.(*exec.ExitError).Stderr)
	}
	return string(out), err != nil
}

// claimedBehind is claimed behind a process that was killed, where something must be
// there: a git that it was about to start has its files open, and so the lock, until it
// begins.
func claimedBehind(t *testing.T, s *gitstore.Store, must bool) (got string) {
	t.Helper()
	for range 10_000 {
		if got = claimed(t, s); got != "" || !must {
			break
		}
	}
	return got
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
		got := claimedBehind(t, open(t, w, "r", session("one")), handed == "")
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

// Wherever a process is killed that adds a summary, the marker is brought back once, with
// that or without.
func TestSummaryKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	with := 0
	for k := 1; ; k++ {
		mark(t, s, "lost")
		_, killed := delivering(t, w, k, nil, "STORETEST_SUMMARY=what it said")
		list, err := s.Session.Markers(false)
		if err != nil || len(list) != 1 || list[0].Reason != "lost" {
			t.Fatalf("killed at %d: %v, %v", k, list, err)
		}
		if list[0].Summary == "what it said" {
			with++
		}
		if got := claimedBehind(t, s, true); got != "lost" {
			t.Errorf("killed at %d: %q", k, got)
		}
		if got := claimed(t, s); got != "" {
			t.Errorf("killed at %d: delivered twice", k)
		}
		if !killed {
			if k < 8 || with < 2 || with == k {
				t.Errorf("killed %d times, %d had it", k-1, with)
			}
			break
		}
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
